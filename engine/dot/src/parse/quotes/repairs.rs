//! The ways to undo damaged quotes, and the places where code begins again.

use super::code::looks_like_code;
use super::inner;
use super::suspect::{Suspect, ends_like_code};
use crate::parse::lexer::ForcedToken;
use crate::{TextRange, TokenKind};

/// A way to undo the damage.
pub(super) struct Repair {
    pub(super) forced: ForcedToken,
    /// Whether it is believed at once if it leaves its line sound and makes at most one error more: what a bare quote
    /// ends may be sound DOT by itself.
    pub(super) explains: bool,
}

/// The ways to undo the damage, the likeliest first.
pub(super) fn of(text: &str, suspect: Suspect) -> Vec<Repair> {
    let Suspect { token, next_quote } = suspect;
    let start = token.range.start();
    let ends_at = |kind, explains| {
        move |end| Repair {
            forced: ForcedToken {
                range: TextRange::new(start, end),
                kind,
            },
            explains,
        }
    };
    let string = TokenKind::UnclosedString;
    let mut repairs: Vec<Repair> = Vec::new();
    match token.kind {
        TokenKind::String => {
            let lost_its_end = ends_like_code(token.range.text(text));
            let (sure, unsure): (Vec<inner::End>, Vec<inner::End>) = inner::ends(text, token.range)
                .into_iter()
                .partition(|end| end.is_paired || !lost_its_end);
            let end = |end: inner::End| end.offset;
            let code = code_in(text, token.range).into_iter();
            repairs.extend(sure.into_iter().map(end).map(ends_at(string, true)));
            repairs.extend(code.map(ends_at(string, false)));
            repairs.extend(unsure.into_iter().map(end).map(ends_at(string, false)));
            let others = [Some(start + 1), next_quote.map(|quote| quote + 1)];
            repairs.extend(others.into_iter().flatten().map(ends_at(string, false)));
        }
        TokenKind::UnclosedString => {
            let ends = code_in(text, token.range).into_iter().chain([start + 1]);
            repairs.extend(ends.map(ends_at(string, false)));
        }
        TokenKind::UnclosedHtml => {
            let ends = code_in(text, token.range).into_iter();
            repairs.extend(ends.map(ends_at(token.kind, false)));
        }
        TokenKind::UnclosedComment => {
            let line = token.range.text(text).lines().next().unwrap_or_default();
            repairs.push(ends_at(token.kind, false)(start + line.trim_end().len()));
        }
        _ => {
            let end = next_quote.map(|quote| quote + 1);
            repairs.extend(end.map(ends_at(string, false)));
        }
    }
    repairs
}

/// Where inside the string code begins again: before `, key=`, and before each of the first lines that
/// look like a pair, a statement or a closing bracket. The end of its first line is one such place.
fn code_in(text: &str, string: TextRange) -> Vec<usize> {
    const MAX_SUSPECTS: usize = 4;
    let written = string.text(text);
    let mut ends = Vec::new();
    let mut offset = string.start();
    for (number, line) in written.split_inclusive('\n').enumerate() {
        if number == 0 {
            ends.extend(pair_in(line.get(1..).unwrap_or_default()).map(|at| offset + 1 + at));
            ends.push(end_of_value(offset, line));
        } else if looks_like_code(line) {
            let before = TextRange::new(string.start(), offset)
                .text(text)
                .trim_end_matches([' ', '\t', '\r', '\n', ',', ';']);
            ends.push(string.start() + before.len().max(1));
        } else if let Some(at) = pair_in(line) {
            ends.push(offset + at);
        } else if line.trim_end().ends_with([']', ';']) {
            ends.push(end_of_value(offset, line));
        }
        if ends.len() >= MAX_SUSPECTS {
            break;
        }
        offset += line.len();
    }
    ends.dedup();
    ends
}

/// The end of a line without what closes the list and the statement there.
fn end_of_value(start: usize, line: &str) -> usize {
    let line = line.trim_end_matches([' ', '\t', '\r', '\n', ';', ',', '}']);
    let line = line
        .strip_suffix(']')
        .unwrap_or(line)
        .trim_end_matches([' ', '\t', ',']);
    start + line.len().max(1)
}

/// Where `, key=` or ` key="` begins in a line.
fn pair_in(line: &str) -> Option<usize> {
    line.match_indices('=').find_map(|(equals, _)| {
        let before = line.get(..equals)?.trim_end();
        let key = before.len()
            - before
                .trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'))
                .len();
        let rest = before.get(..before.len() - key)?;
        let separated = rest.trim_end_matches([' ', '\t']);
        let comma = separated.ends_with([',', ';']);
        let quote = line.get(equals + 1..)?.trim_start().starts_with('"');
        let blank = separated.len() < rest.len();
        let cut = separated.trim_end_matches([',', ';', ' ', '\t']);
        (key > 0 && !cut.is_empty() && (comma || blank && quote)).then_some(cut.len())
    })
}
