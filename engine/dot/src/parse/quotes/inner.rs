//! Unescaped quotes inside a value: `label="say "hello" now"`, `json="{\\"a\\": 1}"`.
//!
//! The string ends at the first of them for every lexer. What was meant ends at a quote that something
//! follows which can follow a value.

use super::code::looks_like_code;
use crate::TextRange;
use crate::strings::bare_quotes;

/// So many quotes are looked at.
const MAX_QUOTES: usize = 64;

/// So many lines are looked at.
const MAX_LINES: usize = 200;

/// So many ends are worth a try.
const MAX_ENDS: usize = 2;

/// Where a value may end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    /// After its last quote.
    pub(super) offset: usize,
    /// Whether the quotes inside come in pairs.
    pub(super) is_paired: bool,
}

/// Where the value may end whose string ends too early at the end of `string`: after quotes further on.
pub(super) fn ends(text: &str, string: TextRange) -> Vec<End> {
    let rest = text.get(string.end()..).unwrap_or_default();
    bare_quotes(prose(rest))
        .take(MAX_QUOTES)
        .enumerate()
        .map(|(before, at)| End {
            offset: string.end() + at + 1,
            is_paired: before % 2 == 1,
        })
        .filter(|end| ends_value(text.get(end.offset..).unwrap_or_default()))
        .take(MAX_ENDS)
        .collect()
}

/// The beginning of `rest`, up to the first line that looks like code.
fn prose(rest: &str) -> &str {
    let mut end = 0;
    for (number, line) in rest.split_inclusive('\n').take(MAX_LINES).enumerate() {
        if number > 0 && looks_like_code(line) {
            break;
        }
        end += line.len();
    }
    rest.get(..end).unwrap_or_default()
}

/// Whether a value can end before `rest`: the list ends, or another pair begins, or a line of code.
fn ends_value(rest: &str) -> bool {
    let behind = rest.trim_start_matches([' ', '\t']);
    if let Some(behind) = behind.strip_prefix(']') {
        let behind = behind.trim_start_matches([' ', '\t', ';', '}']);
        return behind.is_empty() || behind.starts_with(['\r', '\n', '/', '#']);
    }
    if let Some(behind) = behind.strip_prefix([',', ';']) {
        let behind = behind.trim_start();
        return behind.starts_with(']') || begins_pair(behind);
    }
    if behind.starts_with(['\r', '\n']) {
        let line = behind.trim_start().lines().next().unwrap_or_default();
        return looks_like_code(line) || begins_pair(line);
    }
    behind.len() < rest.len() && begins_pair(behind)
}

/// `key=`, and no comparison.
fn begins_pair(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let value = behind.trim_start_matches([' ', '\t']).strip_prefix('=');
    behind.len() < text.len() && value.is_some_and(|value| !value.starts_with(['=', '~']))
}
