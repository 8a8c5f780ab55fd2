//! What the operators mean: two values in, yes or no out, with a warning where a person should look.

use regex::{Regex, RegexBuilder};

use crate::condition::ast::{Compare, Op, Operand, OperandKind};
use crate::status::Status;
use crate::value::Value;

/// Whether a key holds a status, so that aliases of status words compare equal.
pub(in crate::condition) fn is_status_key(key: &str) -> bool {
    matches!(
        key.rsplit('.').next(),
        Some("outcome" | "status" | "best_outcome")
    )
}

/// Whether an operand is a key that holds a status.
pub(super) fn is_status(operand: &Operand) -> bool {
    matches!(&operand.kind, OperandKind::Key(key) if is_status_key(key))
}

/// `=`: the lenient equality of values; a status by its meaning; `null` is also what a text names so.
/// `!=` is its exact negation.
pub(super) fn lenient(left: &Value, right: &Value, status: bool) -> bool {
    left.loosely_equals(right) || (status && same_status(left, right))
}

fn same_status(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Status::parse(left) == Status::parse(right),
        _ => false,
    }
}

/// `==`: the same kind and value; a warning when only the kinds differ.
pub(super) fn typed(
    left: &Value,
    right: &Value,
    status: bool,
    compare: &Compare,
    warning: &mut Option<String>,
) -> bool {
    let equal = left == right || (status && same_status(left, right));
    let kinds_differ = left.kind() != right.kind() && *left != Value::Null && *right != Value::Null;
    if !equal && kinds_differ && left.to_string() == right.to_string() {
        *warning = Some(format!(
            "`{compare}`: {} and {} are never equal by `{}`; `=` compares their text",
            describe(left),
            describe(right),
            compare.op.symbol()
        ));
    }
    equal
}

/// `<` and its kin: false, with a warning, for what has no order.
pub(super) fn ordered(
    left: &Value,
    op: Op,
    right: &Value,
    compare: &Compare,
    warning: &mut Option<String>,
) -> bool {
    let Some(order) = left.compare(right) else {
        *warning = Some(format!(
            "`{compare}` is false: {} and {} have no order",
            describe(left),
            describe(right)
        ));
        return false;
    };
    match op {
        Op::Less => order.is_lt(),
        Op::AtMost => order.is_le(),
        Op::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// `in`: an element of a list, a key of a table, a part of a text.
pub(super) fn within(needle: &Value, container: &Value) -> bool {
    match container {
        Value::List(items) => items.contains(needle),
        Value::Map(entries) => entries.contains_key(&needle.to_string()),
        Value::Text(text) => *needle != Value::Null && text.contains(&needle.to_string()),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// `contains`, `matches` and their kin, by the text form of both sides.
pub(super) fn textual(
    value: &Value,
    op: Op,
    pattern: &Value,
    warning: &mut Option<String>,
) -> bool {
    if *value == Value::Null || *pattern == Value::Null {
        return false;
    }
    let text = pattern.to_string();
    match op {
        Op::Contains => match value {
            Value::List(_) | Value::Map(_) => within(pattern, value),
            _ => value.to_string().contains(&text),
        },
        Op::StartsWith => value.to_string().starts_with(&text),
        Op::EndsWith => value.to_string().ends_with(&text),
        _ => match regular_expression(&text) {
            Ok(regex) => regex.is_match(&value.to_string()),
            Err(problem) => {
                *warning = Some(format!("invalid regular expression `{text}`: {problem}"));
                false
            }
        },
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "a missing value".to_owned(),
        Value::Text(text) => format!("the text \"{}\"", shortened(text)),
        Value::Number(number) => format!("the number {number}"),
        Value::Bool(value) => format!("`{value}`"),
        Value::List(_) | Value::Map(_) => value.kind().to_owned(),
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Compiles a pattern of `matches`. Matching is linear in the text, and the size of the program is bounded.
pub(in crate::condition) fn regular_expression(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .size_limit(1 << 20)
        .nest_limit(50)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "it is too big".to_owned(),
            other => other
                .to_string()
                .lines()
                .last()
                .unwrap_or("invalid pattern")
                .trim()
                .to_owned(),
        })
}
