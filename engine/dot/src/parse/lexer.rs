//! From text to tokens.
//!
//! The table of tokens is [`Lexeme`]; what no regular expression can say (nested HTML, what is never
//! closed) is in its callbacks. A string, HTML string or comment that is never closed runs to the end
//! of the text, unless recovery found a better end and forces it.

use logos::{Lexer, Logos};

use super::quotes::Forced;
use crate::{TextRange, TokenKind, Tokens};

/// The tokens of `text`, where each of `forced`, in order, is one token.
pub(super) fn lex(text: &str, forced: &[Forced]) -> Tokens {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let mut tokens = Tokens::with_length(length);
    // A byte order mark is a blank at the very beginning and part of a name anywhere else.
    let mut base = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    for stop in forced.iter().copied().map(Some).chain([None]) {
        let end = stop.map_or(text.len(), |forced| forced.range.start());
        let mut lexer = Lexeme::lexer(text.get(base..end).unwrap_or_default());
        while let Some(lexeme) = lexer.next() {
            let span = lexer.span();
            let kind = lexeme.map_or(TokenKind::Unknown, Lexeme::kind);
            tokens.push(kind, TextRange::new(base + span.start, base + span.end));
        }
        if let Some(forced) = stop {
            tokens.push(forced.kind, forced.range);
            base = forced.range.end();
        }
    }
    tokens.shrink();
    tokens
}

/// What the lexer tells apart; the public kinds are the same and know nothing of logos.
#[derive(Logos, Clone, Copy, Debug, PartialEq)]
#[logos(skip r"[ \t\r\n]+")]
enum Lexeme {
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    BlockComment,
    #[token("/*", to_end)]
    UnclosedComment,
    #[regex(r"#[^\n]*", allow_greedy = true)]
    HashLine,
    #[token("strict", ignore(case))]
    Strict,
    #[token("graph", ignore(case))]
    Graph,
    #[token("digraph", ignore(case))]
    Digraph,
    #[token("subgraph", ignore(case))]
    Subgraph,
    #[token("node", ignore(case))]
    Node,
    #[token("edge", ignore(case))]
    Edge,
    #[regex(r"[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z_0-9\u{80}-\u{10FFFF}]*")]
    Name,
    #[regex(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)")]
    Number,
    #[regex(r#""([^"\\]|\\[\s\S])*""#)]
    String,
    #[token("\"", to_end)]
    UnclosedString,
    #[token("<", html)]
    Html(Closed),
    #[token("->")]
    Arrow,
    #[token("--")]
    Line,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("=")]
    Equals,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("+")]
    Plus,
    #[token("@")]
    At,
    #[token(".")]
    Dot,
    #[token("-")]
    Dash,
    #[token("/")]
    Slash,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Closed {
    Yes,
    No,
}

fn to_end(lexer: &mut Lexer<'_, Lexeme>) {
    lexer.bump(lexer.remainder().len());
}

/// Takes everything up to the `>` that balances the `<` already taken.
fn html(lexer: &mut Lexer<'_, Lexeme>) -> Closed {
    let mut depth = 1usize;
    let end = lexer.remainder().bytes().position(|byte| {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    lexer.bump(end.map_or(lexer.remainder().len(), |end| end + 1));
    if end.is_some() {
        Closed::Yes
    } else {
        Closed::No
    }
}

impl Lexeme {
    fn kind(self) -> TokenKind {
        match self {
            Self::LineComment => TokenKind::LineComment,
            Self::BlockComment => TokenKind::BlockComment,
            Self::UnclosedComment => TokenKind::UnclosedComment,
            Self::HashLine => TokenKind::HashLine,
            Self::Strict => TokenKind::Strict,
            Self::Graph => TokenKind::Graph,
            Self::Digraph => TokenKind::Digraph,
            Self::Subgraph => TokenKind::Subgraph,
            Self::Node => TokenKind::Node,
            Self::Edge => TokenKind::Edge,
            Self::Name => TokenKind::Name,
            Self::Number => TokenKind::Number,
            Self::String => TokenKind::String,
            Self::UnclosedString => TokenKind::UnclosedString,
            Self::Html(Closed::Yes) => TokenKind::Html,
            Self::Html(Closed::No) => TokenKind::UnclosedHtml,
            Self::Arrow => TokenKind::Arrow,
            Self::Line => TokenKind::Line,
            Self::LeftBrace => TokenKind::LeftBrace,
            Self::RightBrace => TokenKind::RightBrace,
            Self::LeftBracket => TokenKind::LeftBracket,
            Self::RightBracket => TokenKind::RightBracket,
            Self::Equals => TokenKind::Equals,
            Self::Comma => TokenKind::Comma,
            Self::Semicolon => TokenKind::Semicolon,
            Self::Colon => TokenKind::Colon,
            Self::Plus => TokenKind::Plus,
            Self::At => TokenKind::At,
            Self::Dot => TokenKind::Dot,
            Self::Dash => TokenKind::Dash,
            Self::Slash => TokenKind::Slash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lex;
    use crate::TokenKind;

    /// A lexer that recurses for every character would overflow the stack of a debug build.
    #[test]
    fn a_very_long_word() {
        for word in ["🦀", "é", "a", "a1"] {
            let text = word.repeat(100_000);
            let tokens = lex(&text, &[]);
            let kinds: Vec<_> = tokens.solid().map(|token| token.kind).collect();
            assert_eq!(kinds, [TokenKind::Name], "{word}");
            assert_eq!(
                tokens.get(0).map(|token| token.range.len()),
                Some(text.len())
            );
        }
    }

    #[test]
    fn very_long_strings_and_comments() {
        let inside = "🦀 <\\\\> ".repeat(50_000);
        for (text, kind) in [
            (format!("\"{inside}\""), TokenKind::String),
            (format!("<{inside}>"), TokenKind::Html),
            (format!("/*{inside}*/"), TokenKind::BlockComment),
            (format!("//{inside}"), TokenKind::LineComment),
            (format!("\"{inside}"), TokenKind::UnclosedString),
        ] {
            let tokens = lex(&text, &[]);
            let kinds: Vec<_> = tokens.solid().map(|token| token.kind).collect();
            assert_eq!(kinds, [kind]);
        }
    }
}
