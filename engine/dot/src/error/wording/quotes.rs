//! What can be wrong with quotes: one that is missing, or some that are not escaped.

use crate::error::{SyntaxCode, SyntaxError};
use crate::strings;
use crate::{Edit, TextRange};

/// A string that recovery put together: never closed, or with quotes of its own.
pub(crate) fn broken_string(text: &str, token: TextRange) -> SyntaxError {
    let written = token.text(text);
    let mut quotes = strings::bare_quotes(written);
    let begins = quotes.next() == Some(0);
    let inner: Vec<usize> = quotes.collect();
    match inner.split_last() {
        Some((&end, inner)) if begins && end + 1 == written.len() && !inner.is_empty() => {
            bare_quotes(written, token.start(), inner)
        }
        _ => unclosed_string(text, token),
    }
}

/// The quotes `inner` of the string `written`, which begins at `start`, are not escaped, or too much.
fn bare_quotes(written: &str, start: usize, inner: &[usize]) -> SyntaxError {
    let is_doubled = |at: usize| {
        written
            .get(..at)
            .is_some_and(|before| before.ends_with(r"\\"))
    };
    let at = |at: usize, length| TextRange::new(start + at, start + at + length);
    let first = inner.first().copied().unwrap_or_default();
    let (range, message) = if is_doubled(first) {
        (
            at(first - 2, 3),
            r#"`\\"` is a backslash and the end of the string; to escape a quote, write `\"`"#,
        )
    } else {
        (
            at(first, 1),
            r#"unescaped `"` ends the string here; write `\"`"#,
        )
    };
    let escape = |&quote: &usize| {
        if is_doubled(quote) {
            Edit::delete(at(quote - 2, 1))
        } else {
            Edit::insert(start + quote, "\\")
        }
    };
    let error = SyntaxError::new(SyntaxCode::BareQuote, range, message)
        .related(at(0, 1), "the string starts here");
    let title = if inner.len() == 1 {
        "Escape the quote"
    } else {
        "Escape the inner quotes"
    };
    error
        .fix(title, inner.iter().map(escape).collect())
        .preferred()
}

/// A `"` that is never closed. The token can also begin without one, where an unquoted value ends in a quote.
fn unclosed_string(text: &str, token: TextRange) -> SyntaxError {
    let first = token.text(text).chars().next().map_or(0, char::len_utf8);
    SyntaxError::new(
        SyntaxCode::UnclosedString,
        TextRange::new(token.start(), token.start() + first),
        "unclosed string",
    )
    .fix("Insert `\"`", vec![Edit::insert(token.end(), "\"")])
    .preferred()
}
