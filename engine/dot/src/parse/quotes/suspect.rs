//! Where strings begin to be inside out: the first that does not fit what is around it.

use crate::parse::statement_tokens::glues;
use crate::strings::bare_quotes;
use crate::{TextRange, Token, TokenKind, Tokens};

/// Where strings begin to be inside out.
#[derive(Clone, Copy)]
pub(super) struct Suspect {
    /// The string, or the unquoted value.
    pub(super) token: Token,
    /// Where the next string begins, if any.
    pub(super) next_quote: Option<usize>,
}

/// The first token after `after` that shows that a quote is missing or too many.
pub(super) fn first(text: &str, tokens: &Tokens, after: usize) -> Option<Suspect> {
    let solid: Vec<Token> = {
        let from = tokens.index_after(after);
        (from..tokens.len())
            .filter_map(|index| tokens.get(index))
            .filter(|token| !token.kind.is_comment() || token.kind == TokenKind::UnclosedComment)
            .collect()
    };
    let found = solid.iter().enumerate().find(|&(at, token)| {
        let before = at.checked_sub(1).and_then(|before| solid.get(before));
        let rest = solid.get(at + 1..).unwrap_or_default();
        let is_value = before.is_some_and(|before| before.kind == TokenKind::Equals);
        match token.kind {
            TokenKind::UnclosedString | TokenKind::UnclosedHtml | TokenKind::UnclosedComment => {
                true
            }
            TokenKind::String => {
                !fits_before(text, before, *token) && !lacks_equals(&solid, at)
                    || !fits_after(text, *token, rest)
                    || is_value && value_continues(*token, rest)
                    || ends_like_code(token.range.text(text))
            }
            _ if is_value => {
                !begins_value(token.kind)
                    || !fits_after(text, glued(*token, rest), rest_after_glued(*token, rest))
            }
            _ => false,
        }
    });
    let (at, &token) = found?;
    Some(Suspect {
        token,
        next_quote: quote_after(text, glued(token, solid.get(at + 1..)?).range.end()),
    })
}

/// The next quote after `offset` that is not escaped.
fn quote_after(text: &str, offset: usize) -> Option<usize> {
    let at = bare_quotes(text.get(offset..)?).next()?;
    Some(offset + at)
}

fn begins_value(kind: TokenKind) -> bool {
    kind.is_id() || kind.is_keyword() || matches!(kind, TokenKind::Dot | TokenKind::Slash)
}

/// The run of tokens glued to `first`, as one token.
fn glued(first: Token, rest: &[Token]) -> Token {
    let count = glued_count(first, rest);
    count
        .checked_sub(1)
        .and_then(|last| rest.get(last))
        .map_or(first, |last| Token {
            kind: first.kind,
            range: first.range.cover(last.range),
        })
}

fn rest_after_glued(first: Token, rest: &[Token]) -> &[Token] {
    rest.get(glued_count(first, rest)..).unwrap_or_default()
}

fn glued_count(first: Token, rest: &[Token]) -> usize {
    let mut end = first.range.end();
    rest.iter()
        .take_while(|token| {
            let joined = token.range.start() == end && glues(token.kind);
            end = token.range.end();
            joined
        })
        .count()
}

/// Whether a string can begin where it does.
fn fits_before(text: &str, before: Option<&Token>, string: Token) -> bool {
    let Some(before) = before else { return true };
    let gap = TextRange::new(before.range.end(), string.range.start()).text(text);
    let word = matches!(
        before.kind,
        TokenKind::Name
            | TokenKind::Number
            | TokenKind::Unknown
            | TokenKind::Dot
            | TokenKind::Dash
            | TokenKind::Slash
    );
    !word || gap.contains('\n')
}

/// Whether the string at `at` is the whole value of a pair of a list that has lost its `=`: `[prompt "x", …`.
fn lacks_equals(solid: &[Token], at: usize) -> bool {
    let kind = |at: Option<usize>| at.and_then(|at| solid.get(at)).map(|token| token.kind);
    let begins = matches!(
        kind(at.checked_sub(2)),
        Some(TokenKind::LeftBracket | TokenKind::Comma)
    );
    let is_key = kind(at.checked_sub(1)) == Some(TokenKind::Name);
    let ends = match kind(Some(at + 1)) {
        Some(TokenKind::RightBracket) => true,
        // The comma between two pairs may be left out.
        Some(TokenKind::Name) => kind(Some(at + 2)) == Some(TokenKind::Equals),
        // After the comma another pair begins, with its `=` or without.
        Some(TokenKind::Comma) => {
            kind(Some(at + 2)) == Some(TokenKind::Name)
                && matches!(
                    kind(Some(at + 3)),
                    Some(TokenKind::Equals | TokenKind::String)
                )
        }
        _ => false,
    };
    begins && is_key && ends
}

/// Whether a string ends as code does before a string: `…, key="`.
pub(super) fn ends_like_code(string: &str) -> bool {
    let inside = string.trim_end_matches('"').trim_end();
    let key = inside.strip_suffix('=').map(str::trim_end);
    key.is_some_and(|key| key.len() > 1 && key.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whether a value seems to continue after the string: `"x" ->`, `"a"{"b"`.
fn value_continues(value: Token, rest: &[Token]) -> bool {
    let Some(next) = rest.first() else {
        return false;
    };
    let string = rest.get(1).filter(|after| after.kind == TokenKind::String);
    let is_between_strings = next.range.start() == value.range.end()
        && string.is_some_and(|string| string.range.start() == next.range.end());
    match next.kind {
        TokenKind::Arrow | TokenKind::Line => true,
        TokenKind::LeftBrace
        | TokenKind::RightBrace
        | TokenKind::LeftBracket
        | TokenKind::Colon => is_between_strings,
        _ => false,
    }
}

/// Whether `rest` can follow the value or string.
fn fits_after(text: &str, value: Token, rest: &[Token]) -> bool {
    let Some(next) = rest.first() else {
        return true;
    };
    let gap = TextRange::new(value.range.end(), next.range.start()).text(text);
    let separates = matches!(
        next.kind,
        TokenKind::Comma
            | TokenKind::Semicolon
            | TokenKind::RightBracket
            | TokenKind::LeftBracket
            | TokenKind::RightBrace
            | TokenKind::LeftBrace
            | TokenKind::Equals
            | TokenKind::Arrow
            | TokenKind::Line
            | TokenKind::Colon
            | TokenKind::Plus
    );
    let begins_pair = !gap.is_empty()
        && rest
            .get(1)
            .is_some_and(|after| matches!(after.kind, TokenKind::Equals | TokenKind::Dot));
    separates || begins_pair || gap.contains('\n') && next.kind != TokenKind::Unknown
}
