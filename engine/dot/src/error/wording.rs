//! How each error is said: what was found, what belongs there, what to do. All wording of this crate.
//!
//! Each function makes one message; it looks at no more of the text than it shows.

mod attributes;
mod edges;
mod graphs;
mod quotes;
mod unclosed;

pub(crate) use attributes::*;
pub(crate) use edges::*;
pub(crate) use graphs::*;
pub(crate) use quotes::*;
pub(crate) use unclosed::*;

use super::{SyntaxCode, SyntaxError};
use crate::strings::quote;
use crate::{Edit, TextRange, TokenKind};

/// `,` or `;` where nothing is to be separated.
pub(crate) fn stray_separator(range: TextRange, kind: TokenKind) -> SyntaxError {
    let found = if kind == TokenKind::Comma { "," } else { ";" };
    SyntaxError::new(
        SyntaxCode::StraySeparator,
        range,
        format!("unexpected `{found}`: there is nothing to separate"),
    )
    .fix("Delete it", vec![Edit::delete(range)])
}

/// A token that fits nowhere.
pub(crate) fn unexpected(text: &str, range: TextRange, expected: &str) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::Unexpected,
        range,
        format!("expected {expected}, found {}", shown(text, range)),
    )
}

/// A token that fits nowhere, without which all would be well.
pub(crate) fn surplus(text: &str, range: TextRange) -> SyntaxError {
    let message = format!("unexpected {}", shown(text, range));
    SyntaxError::new(SyntaxCode::Unexpected, range, message)
        .fix("Delete it", vec![Edit::delete(range)])
}

/// Braces nested too deep.
pub(crate) fn too_deep(range: TextRange, limit: usize) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::TooLarge,
        range,
        format!("braces are nested more than {limit} deep here; the file is not parsed"),
    )
}

/// More text than ranges can hold.
pub(crate) fn too_long() -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::TooLarge,
        TextRange::default(),
        "the file is larger than 4 GiB and is not parsed",
    )
}

/// More errors than are listed.
pub(crate) fn too_many(last: TextRange, more: usize) -> SyntaxError {
    SyntaxError::new(
        SyntaxCode::TooLarge,
        TextRange::empty(last.end()),
        format!("{more} more errors like these are not shown; fix the first ones and re-run"),
    )
}

/// `text` short enough for a message, on one line.
fn short(text: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 32;
    let line = text.chars().take_while(|&c| c != '\n' && c != '\r');
    let cut: String = line.take(MAX_SHOWN_CHARS).collect();
    if cut.len() < text.trim_end().len() {
        format!("{cut}…")
    } else {
        cut
    }
}

fn shown(text: &str, range: TextRange) -> String {
    let shown = short(range.text(text));
    match shown.chars().next() {
        Some(c) if c.is_control() => format!("the character U+{:04X}", u32::from(c)),
        _ => format!("`{shown}`"),
    }
}

fn operator(directed: bool) -> &'static str {
    if directed { "->" } else { "--" }
}

fn kind(directed: bool) -> &'static str {
    if directed { "digraph" } else { "graph" }
}

fn replace(range: TextRange, with: &str) -> (String, Vec<Edit>) {
    (
        format!("Replace with `{with}`"),
        vec![Edit::replace(range, with)],
    )
}

fn quoted(text: &str, range: TextRange) -> (String, Vec<Edit>) {
    let written = range.text(text);
    let quoted = match quote(written) {
        std::borrow::Cow::Owned(quoted) => quoted,
        std::borrow::Cow::Borrowed(bare) => format!("\"{bare}\""),
    };
    (
        format!("Quote as `{}`", short(&quoted)),
        vec![Edit::replace(range, quoted)],
    )
}

impl SyntaxError {
    fn with((title, edits): (String, Vec<Edit>), error: Self) -> Self {
        error.fix(title, edits)
    }
}

/// The text from `offset` to the end of its line, cut at a maximum length.
fn line_from(text: &str, offset: usize) -> &str {
    const MAX_LINE_BYTES: usize = 4096;
    let near = TextRange::new(offset, offset + MAX_LINE_BYTES).text(text);
    near.lines().next().unwrap_or_default()
}
