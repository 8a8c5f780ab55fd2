//! The words for what is wrong with a condition; the only place that has them.

use std::ops::Range;

use super::ast::{Compare, Condition, Op, OperandKind};
use super::build::Source;
use super::grammar::{DEEPEST, Problem};
use super::token::Token;
use crate::LangError;

/// What a condition is made of, for the end of a message.
const ALLOWED: &str = "only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed";

/// A problem of the grammar in words, pointing at the characters to blame.
pub(super) fn explain(problem: &Problem, source: &Source<'_>) -> LangError {
    match *problem {
        Problem::Missing { at } => missing(at, source),
        Problem::Junk { from, to } => junk(from, to, source),
        Problem::Unclosed { open } => LangError::new(
            source.range(open),
            "this bracket is never closed; add `)` where the group ends",
        )
        .with_fix(
            "Close the bracket",
            source.text.len()..source.text.len(),
            ")",
        ),
        Problem::Surplus { close } => LangError::new(
            source.range(close),
            "this `)` closes nothing; remove it, or open the group",
        )
        .with_fix("Remove `)`", source.range(close), ""),
    }
}

/// Nesting that no person wrote.
pub(super) fn too_deep(range: Range<usize>) -> LangError {
    LangError::new(
        range,
        format!("brackets and `not` nest more than {DEEPEST} deep here; split the condition"),
    )
}

fn missing(at: usize, source: &Source<'_>) -> LangError {
    let here = source.hole(at);
    let before = at.checked_sub(1);
    let word = before.map(|before| source.word(before)).unwrap_or_default();
    let next = source.word(at);
    match before.and_then(|before| source.token(before)) {
        Some(token) if token.is_operator() => LangError::new(
            before.map_or(here..here, |before| source.range(before)),
            format!(
                "`{word}` has no right side; write the value to compare with, such as `success` or `3`"
            ),
        ),
        Some(Token::And | Token::Or | Token::Not) => LangError::new(
            before.map_or(here..here, |before| source.range(before)),
            format!(
                "`{word}` is followed by nothing to check; add a comparison, or remove `{word}`"
            ),
        ),
        Some(Token::Open) => LangError::new(
            source.range(at.saturating_sub(1)).start..source.range(at).end.max(here),
            "these brackets are empty; put a comparison inside, or remove them",
        ),
        _ if source.token(at).is_some_and(Token::is_operator) => LangError::new(
            source.range(at),
            format!("`{next}` has no left side; write the key to compare, such as `outcome`"),
        ),
        _ => LangError::new(
            source.range(at),
            format!("`{next}` joins nothing here: a comparison is missing before it"),
        ),
    }
}

fn junk(from: usize, to: usize, source: &Source<'_>) -> LangError {
    let first = source.range(from);
    let whole = first.start..source.range(to.saturating_sub(1)).end;
    let word = source.word(from);
    let name = from
        .checked_sub(1)
        .filter(|before| source.token(*before) == Some(Token::Name));
    match source.token(from) {
        Some(token) if token.is_operator() => operator(from, source),
        Some(Token::Open) => match name.filter(|name| source.range(*name).end == first.start) {
            Some(name) => LangError::new(
                source.range(name).start..closing(from, to, Token::Open, Token::Close, source),
                format!(
                    "a condition cannot call `{}(…)`; {ALLOWED}",
                    source.word(name)
                ),
            ),
            None => LangError::new(
                first,
                format!("`(` does not follow here; put `and` or `or` before it: {ALLOWED}"),
            ),
        },
        Some(Token::Unknown) => unknown(word, first, whole, source),
        Some(Token::Number) if word.starts_with('-') => LangError::new(first, arithmetic()),
        Some(Token::Not) => not(from, source),
        Some(Token::Name | Token::Contraction) if after_operator_value(from, source) => {
            unquoted(from, to, source)
        }
        _ => LangError::new(
            first,
            format!(
                "`{word}` does not follow here; put `and` or `or` before it, or quote the text"
            ),
        ),
    }
}

/// The end of the bracket that opens at token `from`, or of the stretch up to `to`.
fn closing(from: usize, to: usize, open: Token, close: Token, source: &Source<'_>) -> usize {
    let mut depth = 0usize;
    let end = (from..to).find(|at| {
        match source.token(*at) {
            Some(token) if token == open => depth += 1,
            Some(token) if token == close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    source.range(end.unwrap_or(to.saturating_sub(1))).end
}

fn arithmetic() -> String {
    format!(
        "a condition does no arithmetic; {ALLOWED}. Compute the value in a node and compare its key"
    )
}

fn unknown(word: &str, first: Range<usize>, whole: Range<usize>, source: &Source<'_>) -> LangError {
    let rest = source.text.get(first.start..).unwrap_or_default();
    let quote = word.get(..1).filter(|quote| matches!(*quote, "\"" | "'"));
    if let Some(quote) = quote {
        let end = source.text.len();
        return LangError::new(
            first.start..end,
            format!("this {quote} opens a text that is never closed; add the second {quote}"),
        )
        .with_fix("Close the text", end..end, quote);
    }
    match word {
        "&" | "|" => {
            let double = word.repeat(2);
            let plain = if word == "&" { "and" } else { "or" };
            LangError::new(
                first.clone(),
                format!("write `{double}` or `{plain}`; a single `{word}` has no meaning here"),
            )
            .with_fix(format!("Replace with `{double}`"), first, double)
        }
        "[" | "]" => {
            let length = whole.len();
            let end = rest
                .get(..length)
                .and_then(|inner| inner.find(']'))
                .map_or(length, |at| at + 1);
            LangError::new(
                first.start..first.start + end,
                format!(
                    "a condition has no subscripts and no lists; {ALLOWED}. A key is written whole, with dots"
                ),
            )
        }
        "+" | "-" | "*" | "/" | "%" | "^" => LangError::new(first, arithmetic()),
        "~" => LangError::new(first, "write `matches` to test a regular expression"),
        "$" | "{" | "}" => LangError::new(
            first,
            format!("a key is written plainly in a condition, without `$` or braces; {ALLOWED}"),
        ),
        "“" | "”" | "‘" | "’" => LangError::new(
            first.clone(),
            format!("{word} is a typographic quote; write a plain `'`"),
        )
        .with_fix("Replace with `'`", first, "'"),
        _ => LangError::new(
            first,
            format!("`{word}` has no meaning in a condition; {ALLOWED}"),
        ),
    }
}

fn operator(at: usize, source: &Source<'_>) -> LangError {
    let range = source.range(at);
    let word = source.word(at);
    let before = at.checked_sub(1);
    let joined = before.map(|before| (source.word(before), source.range(before)));
    if let Some((previous, start)) = joined
        && start.end == range.start
        && !source
            .token(at.saturating_sub(1))
            .is_some_and(Token::is_operand)
    {
        let whole = start.start..range.end;
        if matches!((previous, word), ("<", "<") | (">", ">")) {
            return LangError::new(whole, arithmetic());
        }
        let meant = match (previous, word) {
            ("=", ">") => Some(">="),
            ("=", "<") => Some("<="),
            // The lenient comparison takes the bare word behind it as text.
            ("==", "=") => Some("="),
            ("!=", "=") | ("<", ">") => Some("!="),
            _ => None,
        };
        if let Some(meant) = meant {
            return LangError::new(
                whole.clone(),
                format!("unknown operator `{previous}{word}`; write `{meant}`"),
            )
            .with_fix(format!("Replace with `{meant}`"), whole, meant);
        }
    }
    LangError::new(
        range,
        format!(
            "`{word}` cannot follow a whole comparison; join two comparisons with `and`, or quote a text that holds `{word}`"
        ),
    )
}

fn not(at: usize, source: &Source<'_>) -> LangError {
    LangError::new(
        source.range(at),
        "`not` does not follow here; put `and` or `or` before it",
    )
}

/// Whether the tokens from `at` continue an unquoted right side: `label == Fix it`.
fn after_operator_value(at: usize, source: &Source<'_>) -> bool {
    at >= 2
        && source.token(at - 1) == Some(Token::Name)
        && matches!(source.token(at - 2), Some(Token::Equal | Token::In))
}

fn unquoted(from: usize, to: usize, source: &Source<'_>) -> LangError {
    let range = source.range(from - 1).start..source.range(to.saturating_sub(1)).end;
    let text = source.text.get(range.clone()).unwrap_or_default();
    LangError::new(
        range.clone(),
        format!("a text of several words needs quotes here: `'{text}'`"),
    )
    .with_fix("Quote the text", range, format!("'{text}'"))
}

/// Errors that the grammar accepts: invalid regular expressions, and calls in an unquoted text.
pub(super) fn check(condition: &Condition) -> Vec<LangError> {
    condition
        .comparisons()
        .filter_map(check_comparison)
        .collect()
}

fn check_comparison(compare: &Compare) -> Option<LangError> {
    match &compare.right.kind {
        OperandKind::Text(pattern) | OperandKind::Bare(pattern) if compare.op == Op::Matches => {
            let problem = super::eval::regular_expression(pattern).err()?;
            Some(LangError::new(
                compare.right.range.clone(),
                format!("invalid regular expression: {problem}"),
            ))
        }
        OperandKind::Bare(text) => {
            let bracket = text.find(['(', '['])?;
            let before = text.get(..bracket)?;
            let name = before
                .rsplit(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()?;
            if name.is_empty() || name.len() != before.len() {
                return None;
            }
            let what = if text[bracket..].starts_with('(') {
                format!("a condition cannot call `{name}(…)`")
            } else {
                format!("a condition has no subscripts (`{name}[…]`)")
            };
            Some(
                LangError::new(
                    compare.right.range.clone(),
                    format!("{what}; {ALLOWED}. If it is a text, quote it"),
                )
                .with_fix(
                    "Quote the text",
                    compare.right.range.clone(),
                    format!("'{text}'"),
                ),
            )
        }
        _ => None,
    }
}
