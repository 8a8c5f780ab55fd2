//! Condition text → tokens. Total: every character belongs to a token or to spaces between two.
//!
//! After a lenient operator (`=`, `!=`, `contains`, …) an unquoted text of several words is legal
//! (`preferred_label=Fix it`); [`lex`] joins such words to one [`Token::Bare`], so that the grammar
//! sees one operand there. Decides nothing else.

use std::ops::Range;

use logos::Logos;

/// One token with its byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spanned {
    pub(super) token: Token,
    pub(super) range: Range<usize>,
}

/// The kinds of token. They carry no text; the range finds it.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip(r"\s+"))]
pub(super) enum Token {
    #[regex(r#""([^"\\]|\\(.|\n))*""#)]
    #[regex(r"'([^'\\]|\\(.|\n))*'")]
    Text,
    #[regex(r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", priority = 5)]
    Number,
    #[token("true", ignore(case))]
    #[token("false", ignore(case))]
    #[token("null", ignore(case))]
    #[token("none", ignore(case))]
    Literal,
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}\p{N}_]+)*", priority = 1)]
    Name,
    /// `{{ key }}`, as fabro writes it.
    #[regex(r"\{\{[ \t]*[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}\p{N}_]+)*[ \t]*\}\}")]
    Insert,
    /// A word with an apostrophe inside (`Don't`); only ever part of a bare text.
    #[regex(r"[\p{L}_][\p{L}\p{N}_]*'[\p{L}]+", priority = 1)]
    Contraction,
    #[token("and", ignore(case))]
    #[token("&&")]
    And,
    #[token("or", ignore(case))]
    #[token("||")]
    Or,
    #[token("not", ignore(case))]
    #[token("!")]
    Not,
    #[token("==")]
    Equal,
    #[token("=")]
    Is,
    #[token("!=")]
    NotEqual,
    #[token("<=")]
    AtMost,
    #[token("<")]
    Less,
    #[token(">=")]
    AtLeast,
    #[token(">")]
    Greater,
    #[token("contains", ignore(case))]
    Contains,
    #[token("matches", ignore(case))]
    Matches,
    #[token("in", ignore(case))]
    In,
    #[token("startswith", ignore(case))]
    #[token("starts_with", ignore(case))]
    StartsWith,
    #[token("endswith", ignore(case))]
    #[token("ends_with", ignore(case))]
    EndsWith,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    /// Unquoted text of the right side of a lenient operator; made by joining, never by the lexer.
    Bare,
    /// Any other character, or a quote that never closes.
    Unknown,
}

impl Token {
    pub(super) fn is_operator(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::Is
                | Self::NotEqual
                | Self::AtMost
                | Self::Less
                | Self::AtLeast
                | Self::Greater
        ) || self.is_word_operator()
    }

    pub(super) fn is_word_operator(self) -> bool {
        matches!(
            self,
            Self::Contains | Self::Matches | Self::In | Self::StartsWith | Self::EndsWith
        )
    }

    /// Whether an unquoted text may stand on the operator's right side.
    pub(super) fn takes_bare_text(self) -> bool {
        matches!(
            self,
            Self::Is
                | Self::NotEqual
                | Self::Contains
                | Self::Matches
                | Self::StartsWith
                | Self::EndsWith
        )
    }

    pub(super) fn is_operand(self) -> bool {
        matches!(
            self,
            Self::Text | Self::Number | Self::Literal | Self::Name | Self::Insert | Self::Bare
        )
    }
}

/// The tokens of a condition, with bare texts joined. Linear in the length of the text.
pub(super) fn lex(text: &str) -> Vec<Spanned> {
    /// Bytes of text a token represents, about.
    const USUAL: usize = 4;
    let mut raw = Vec::with_capacity(text.len() / USUAL + 1);
    raw.extend(Token::lexer(text).spanned().map(|(token, range)| Spanned {
        token: token.unwrap_or(Token::Unknown),
        range,
    }));
    join_bare_texts(text, &raw)
}

fn join_bare_texts(text: &str, raw: &[Spanned]) -> Vec<Spanned> {
    let mut tokens: Vec<Spanned> = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((first, tail)) = rest.split_first() {
        tokens.push(first.clone());
        rest = tail;
        if first.token.takes_bare_text() {
            let (bare, after) = rest
                .split_at_checked(bare_length(text, rest))
                .unwrap_or_default();
            if let (Some(from), Some(to)) = (bare.first(), bare.last()) {
                let range = from.range.start..to.range.end;
                tokens.push(Spanned {
                    token: Token::Bare,
                    range,
                });
                rest = after;
            }
        }
    }
    tokens
}

/// How many of `tokens` make up an unquoted text; 0 when a quoted text, a literal or nothing is there.
fn bare_length(text: &str, tokens: &[Spanned]) -> usize {
    // Brackets the text itself opened: their `)` belongs to it, any other closes a group around it.
    let mut open = 0usize;
    let mut length = 0;
    let mut end = None;
    for (spanned, next) in tokens
        .iter()
        .zip(tokens.iter().skip(1).map(Some).chain([None]))
    {
        let glued_after = next.is_some_and(|next| next.range.start == spanned.range.end);
        let glued = end == Some(spanned.range.start) && glued_after;
        let stops = match spanned.token {
            // `and` inside a longer word (`hit-and-run`) joins nothing.
            Token::And | Token::Or => !glued || starts_with(text, spanned, ['&', '|']),
            Token::Close => open == 0,
            token => token.is_operator() && !token.is_word_operator(),
        };
        if stops {
            break;
        }
        match spanned.token {
            Token::Open => open += 1,
            Token::Close => open -= 1,
            _ => {}
        }
        end = Some(spanned.range.end);
        length += 1;
    }
    match tokens.first().map(|first| first.token) {
        // A quoted text is an operand of its own; what follows it is for the grammar to judge.
        Some(Token::Text | Token::Open) => 0,
        Some(Token::Unknown)
            if tokens
                .first()
                .is_some_and(|first| starts_with(text, first, ['"', '\''])) =>
        {
            0
        }
        Some(Token::Number | Token::Literal | Token::Insert) if length == 1 => 0,
        _ => length,
    }
}

fn starts_with(text: &str, spanned: &Spanned, any_of: [char; 2]) -> bool {
    text.get(spanned.range.clone())
        .is_some_and(|word| word.starts_with(any_of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::fmt::Write;

    fn check(text: &str, expected: &Expect) {
        let mut drawn = String::new();
        for Spanned { token, range } in lex(text) {
            writeln!(drawn, "{token:?} {}", text.get(range).unwrap_or("?")).unwrap_or_default();
        }
        expected.assert_eq(&drawn);
    }

    #[test]
    fn several_words_after_a_lenient_operator_are_one_text() {
        check(
            "preferred_label=Fix it && x != (y",
            &expect![[r"
                Name preferred_label
                Is =
                Bare Fix it
                And &&
                Name x
                NotEqual !=
                Open (
                Name y
            "]],
        );
    }

    #[test]
    fn a_bracket_of_the_text_and_a_bracket_around_it() {
        check(
            "(a=Fix (later)) or b=hit-and-run",
            &expect![[r"
                Open (
                Name a
                Is =
                Bare Fix (later)
                Close )
                Or or
                Name b
                Is =
                Bare hit-and-run
            "]],
        );
    }

    #[test]
    fn literals_and_quoted_texts_stay_themselves() {
        check(
            r#"a=1 AND b=True Or c='x' and d=""" and e=2 more and f=Don't"#,
            &expect![[r#"
                Name a
                Is =
                Number 1
                And AND
                Name b
                Is =
                Literal True
                Or Or
                Name c
                Is =
                Text 'x'
                And and
                Name d
                Is =
                Text ""
                Unknown " and e=2 more and f=Don't
            "#]],
        );
    }
}
