//! The messages about conditions.

use std::ops::Range;

use super::ast::{Compare, Condition, Op, OperandKind};
use super::build::Source;
use super::grammar::{DEEPEST, Problem};
use super::token::Token;
use crate::LangError;

/// The elements of a condition, for the end of a message.
const ALLOWED: &str =
    "expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses";

/// The message for a problem of the grammar, with the range of the characters that cause it.
pub(super) fn explain(problem: &Problem, source: &Source<'_>) -> LangError {
    match *problem {
        Problem::Missing { at } => missing(at, source),
        Problem::Junk { from, to } => junk(from, to, source),
        Problem::Unclosed { open } => LangError::new(
            source.range(open),
            "unclosed `(`; add `)` where the group ends",
        )
        .with_fix("Insert `)`", source.text.len()..source.text.len(), ")"),
        Problem::Surplus { close } => LangError::new(
            source.range(close),
            "unmatched `)`; remove it, or add `(` where the group starts",
        )
        .with_fix("Remove `)`", source.range(close), ""),
    }
}

/// Nesting deeper than in any condition written by hand.
pub(super) fn too_deep(range: Range<usize>) -> LangError {
    LangError::new(
        range,
        format!(
            "parentheses and `not` are nested more than {DEEPEST} levels deep; split the condition"
        ),
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
            format!("expected a value after `{word}`, such as `success` or `3`"),
        ),
        Some(Token::And | Token::Or | Token::Not) => LangError::new(
            before.map_or(here..here, |before| source.range(before)),
            format!("expected a comparison after `{word}`; add one, or remove `{word}`"),
        ),
        Some(Token::Open) => LangError::new(
            source.range(at.saturating_sub(1)).start..source.range(at).end.max(here),
            "expected a comparison in the parentheses; add one, or remove them",
        ),
        _ if source.token(at).is_some_and(Token::is_operator) => LangError::new(
            source.range(at),
            format!("expected a key before `{next}`, such as `outcome`"),
        ),
        _ => LangError::new(
            source.range(at),
            format!("expected a comparison before `{next}`"),
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
                    "function calls are not supported in conditions (`{}(…)`); {ALLOWED}",
                    source.word(name)
                ),
            ),
            None => LangError::new(
                first,
                format!("unexpected `(`; insert `and` or `or` before it: {ALLOWED}"),
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
            format!("unexpected `{word}`; insert `and` or `or` before it, or quote the text"),
        ),
    }
}

/// The end of the bracket that opens at token `from`, or of the tokens up to `to`.
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
        "arithmetic is not supported in conditions; {ALLOWED}. Compute the value in a node and compare its key"
    )
}

fn unknown(word: &str, first: Range<usize>, whole: Range<usize>, source: &Source<'_>) -> LangError {
    let rest = source.text.get(first.start..).unwrap_or_default();
    let quote = word.get(..1).filter(|quote| matches!(*quote, "\"" | "'"));
    if let Some(quote) = quote {
        let end = source.text.len();
        return LangError::new(
            first.start..end,
            format!("unclosed {quote}; add the closing {quote}"),
        )
        .with_fix(format!("Insert `{quote}`"), end..end, quote);
    }
    match word {
        "&" | "|" => {
            let double = word.repeat(2);
            let plain = if word == "&" { "and" } else { "or" };
            LangError::new(
                first.clone(),
                format!("unknown operator `{word}`; did you mean `{double}` or `{plain}`?"),
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
                    "subscripts and lists are not supported in conditions; {ALLOWED}. Write nested keys with dots, `a.b`"
                ),
            )
        }
        "+" | "-" | "*" | "/" | "%" | "^" => LangError::new(first, arithmetic()),
        "~" => LangError::new(
            first,
            "unknown operator `~`; use `matches` for regular expressions",
        ),
        "$" | "{" | "}" => LangError::new(
            first,
            format!("unexpected `{word}`; write keys in conditions without `$` and braces"),
        ),
        "“" | "”" | "‘" | "’" => LangError::new(
            first.clone(),
            format!("curly quotes ({word}) do not delimit strings; use `'`"),
        )
        .with_fix("Replace with `'`", first, "'"),
        _ => LangError::new(first, format!("unexpected `{word}`; {ALLOWED}")),
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
            // The lenient comparison takes the bare word after it as text.
            ("==", "=") => Some("="),
            ("!=", "=") | ("<", ">") => Some("!="),
            _ => None,
        };
        if let Some(meant) = meant {
            return LangError::new(
                whole.clone(),
                format!("unknown operator `{previous}{word}`; did you mean `{meant}`?"),
            )
            .with_fix(format!("Replace with `{meant}`"), whole, meant);
        }
    }
    LangError::new(
        range,
        format!(
            "unexpected `{word}` after a comparison; combine comparisons with `and`, or quote text that contains `{word}`"
        ),
    )
}

fn not(at: usize, source: &Source<'_>) -> LangError {
    LangError::new(
        source.range(at),
        "unexpected `not`; insert `and` or `or` before it",
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
        format!("quote text of several words: `'{text}'`"),
    )
    .with_fix(format!("Quote as `'{text}'`"), range, format!("'{text}'"))
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
                format!("function calls are not supported in conditions (`{name}(…)`)")
            } else {
                format!("subscripts are not supported in conditions (`{name}[…]`)")
            };
            Some(
                LangError::new(
                    compare.right.range.clone(),
                    format!("{what}; {ALLOWED}. Quote it if it is text"),
                )
                .with_fix(
                    format!("Quote as `'{text}'`"),
                    compare.right.range.clone(),
                    format!("'{text}'"),
                ),
            )
        }
        _ => None,
    }
}
