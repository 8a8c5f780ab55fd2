//! Stage 1: from text to tokens.
//!
//! ```text
//! input:   a -> "b c" // x
//! output:  Name Arrow String LineComment
//! ```
//!
//! The rules are the attributes of [`TokenKind`]; what a regular expression cannot match (nested HTML,
//! what is never closed) is in functions next to them. A string, HTML string or comment that is never closed
//! reaches to the end of the text, unless stage 7 found a better end and forces it.

use logos::Logos as _;

use crate::{TextRange, TokenKind, Tokens};

/// A stretch of text that is one token, whatever the lexer would make of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ForcedToken {
    pub(super) range: TextRange,
    pub(super) kind: TokenKind,
}

/// The tokens of `text`, where each of `forced`, in order, is one token.
pub(crate) fn lex(text: &str, forced: &[ForcedToken]) -> Tokens {
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let mut tokens = Tokens::with_length(length);
    // A byte order mark is whitespace at the very beginning and part of a name anywhere else.
    let mut base = if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    };
    for stop in forced.iter().copied().map(Some).chain([None]) {
        let end = stop.map_or(text.len(), |forced| forced.range.start());
        let mut lexer = TokenKind::lexer(text.get(base..end).unwrap_or_default());
        while let Some(kind) = lexer.next() {
            let span = lexer.span();
            let kind = kind.unwrap_or_else(|not_matched| not_matched);
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
