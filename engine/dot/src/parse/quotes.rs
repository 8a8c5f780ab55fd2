//! Quotes that are lost or too many.
//!
//! DOT strings may span lines, so one lost quote turns every later string inside out. The first
//! string or value that does not fit what follows it is where the damage is. There are few ways to
//! undo it: the string ends where code begins again, the quote is surplus, or an unquoted value
//! begins a string. Each is tried, and the one that leaves the fewest mistakes is kept.

use super::Attempt;
use super::words::glues;
use crate::{TextRange, Token, TokenKind, Tokens};

/// A stretch of text that is one token, whatever the lexer would make of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Forced {
    pub(super) range: TextRange,
    pub(super) kind: TokenKind,
}

/// So many places are looked into, so that the time stays linear.
const ROUNDS: usize = 4;

/// The best reading of a text of which `first` is the plain one and has mistakes.
pub(super) fn undo<'t>(
    text: &str,
    first: Attempt<'t>,
    read: impl Fn(&[Forced]) -> Attempt<'t>,
) -> Attempt<'t> {
    let mut best = first;
    let mut forced: Vec<Forced> = Vec::new();
    let mut after = 0;
    for _ in 0..ROUNDS {
        let Some(suspect) = suspect(text, &best.tokens, after) else {
            break;
        };
        let tried = repairs(text, suspect)
            .filter(|repair| repair.range.start() >= after && !repair.range.is_empty())
            .map(|repair| {
                let mut with = forced.clone();
                with.push(repair);
                let attempt = read(&with);
                (attempt, with)
            });
        let better = tried
            .min_by_key(|(attempt, _)| attempt.badness())
            .filter(|(attempt, _)| attempt.badness() < best.badness());
        // A string that only looks odd is left alone.
        after = suspect.token.range.end();
        if let Some((attempt, with)) = better {
            after = with.last().map_or(after, |last| last.range.end());
            (best, forced) = (attempt, with);
            if best.errors.count() == forced.len() {
                break;
            }
        }
    }
    best
}

/// Where strings begin to be inside out.
#[derive(Clone, Copy)]
struct Suspect {
    /// The string, or the unquoted value.
    token: Token,
    /// Where the next string begins, if any.
    next_quote: Option<usize>,
}

/// The first token after `after` that shows that a quote is missing or too many.
fn suspect(text: &str, tokens: &Tokens, after: usize) -> Option<Suspect> {
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
                !fits_before(text, before, *token)
                    || !fits_after(text, *token, rest)
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
    let rest = text.get(offset..)?;
    let mut escaped = false;
    let at = rest.bytes().position(|byte| {
        let found = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        found
    });
    at.map(|at| offset + at)
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

/// Whether a string ends as code does before a string: `…, key="`.
fn ends_like_code(string: &str) -> bool {
    let inside = string.trim_end_matches('"').trim_end();
    let key = inside.strip_suffix('=').map(str::trim_end);
    key.is_some_and(|key| key.len() > 1 && key.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
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

/// The ways to undo the damage, the likeliest first.
fn repairs(text: &str, suspect: Suspect) -> impl Iterator<Item = Forced> {
    let Suspect { token, next_quote } = suspect;
    let start = token.range.start();
    let forced = |end: usize, kind| Forced {
        range: TextRange::new(start, end),
        kind,
    };
    let string = TokenKind::UnclosedString;
    let mut repairs = Vec::new();
    match token.kind {
        TokenKind::String | TokenKind::UnclosedString => {
            repairs.extend(
                code_in(text, token.range)
                    .into_iter()
                    .map(|end| forced(end, string)),
            );
            repairs.push(forced(start + 1, string));
            repairs.extend(
                next_quote
                    .filter(|_| token.kind == TokenKind::String)
                    .map(|quote| forced(quote + 1, string)),
            );
        }
        TokenKind::UnclosedHtml => {
            repairs.extend(
                code_in(text, token.range)
                    .into_iter()
                    .map(|end| forced(end, token.kind)),
            );
        }
        TokenKind::UnclosedComment => {
            let line = token.range.text(text).lines().next().unwrap_or_default();
            repairs.push(forced(start + line.trim_end().len(), token.kind));
        }
        _ => {
            repairs.extend(next_quote.map(|quote| forced(quote + 1, string)));
        }
    }
    repairs.into_iter()
}

/// Where inside the string code begins again: before `, key=`, and before each of the first lines that
/// look like a pair, a statement or a closing bracket. The end of its first line is one such place.
fn code_in(text: &str, string: TextRange) -> Vec<usize> {
    const PLACES: usize = 4;
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
        if ends.len() >= PLACES {
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

/// Whether a line begins like a pair, a statement or the end of a list or block.
fn looks_like_code(line: &str) -> bool {
    let line = line.trim();
    if matches!(line, "]" | "];" | "}" | "};" | "],") {
        return true;
    }
    let word = match line.strip_prefix('"') {
        Some(rest) => rest.find('"').map(|end| end + 2),
        None => line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))),
    };
    let Some((word, after)) = word
        .filter(|&end| end > 0)
        .and_then(|end| line.split_at_checked(end))
    else {
        return false;
    };
    let after = after.trim_start();
    let pair = after.strip_prefix('=').is_some_and(|value| {
        !value.starts_with('=') && line.ends_with([',', ';', '"', ']']) || value.len() == 1
    });
    let keyword = crate::strings::is_keyword(word);
    pair || after.starts_with('[')
        || after.starts_with("->")
        || after.starts_with("--")
        || keyword && after.starts_with('{')
}
