//! Values that represent every class a key can have, from the constants it is compared with.

use crate::condition::ast::{Expr, ExprKind, OperandKind};
use crate::condition::eval::is_status_key;
use crate::status::Status;
use crate::value::{Number, Value};

/// Values of every class that comparisons of a key with constants can distinguish; likely ones first.
pub(super) fn sample_values(key: &str, atoms: &[&Expr]) -> Vec<Value> {
    let mut texts: Vec<String> = Vec::new();
    let mut numbers: Vec<Number> = vec![Number::Int(0)];
    let mut words = Words::Texts;
    for atom in atoms {
        let ExprKind::Compare(compare) = &atom.kind else {
            words = Words::Values;
            continue;
        };
        let text = match &compare.right.kind {
            OperandKind::Text(text) | OperandKind::Bare(text) | OperandKind::Key(text) => {
                if matches!(Value::read(text), Value::Bool(_)) {
                    words = Words::Values;
                }
                text.to_string()
            }
            OperandKind::Number(number) => number.to_string(),
            OperandKind::Bool(value) => {
                words = Words::Values;
                value.to_string()
            }
            OperandKind::Null | OperandKind::Missing | OperandKind::Insert(_) => {
                words = Words::Values;
                "null".to_owned()
            }
        };
        numbers.extend(Number::parse(text.trim()));
        texts.push(text);
    }
    numbers.sort_by(|left, right| left.partial_cmp(right).unwrap_or(std::cmp::Ordering::Equal));
    numbers.dedup();
    texts.sort();
    texts.dedup();

    let mut values: Vec<Value> = Vec::new();
    values.extend(texts.iter().map(|text| Value::from(text.as_str())));
    // `status` reads as the outcome when it is not set, which is not a class of its own.
    if key == "status" {
        values.extend(
            Status::KNOWN
                .iter()
                .map(|status| Value::from(status.name())),
        );
    } else {
        values.push(Value::Null);
    }
    values.extend([Value::Bool(true), Value::Bool(false), Value::from("")]);
    values.extend(numbers.iter().copied().map(Value::Number));
    let between: Vec<Value> = between(&numbers).collect();
    values.extend(between.iter().cloned());
    values.extend([Value::from("something else"), Value::List(Vec::new())]);
    // Texts that read as a constant without being it: other case, spaces around a number.
    values.extend(texts.iter().map(|text| Value::from(text.to_uppercase())));
    values.extend(
        numbers
            .iter()
            .map(|number| Value::from(format!(" {number}"))),
    );
    values.extend(between.iter().map(|number| Value::from(number.to_string())));
    if words == Words::Values {
        values.extend(NAMES.iter().map(|name| Value::from(*name)));
    }
    // The next text in order after each constant represents all up to the one after.
    values.extend(texts.iter().map(|text| Value::from(format!("{text}\0"))));
    if is_status_key(key) {
        values.extend(
            Status::KNOWN
                .iter()
                .map(|status| Value::from(status.name())),
        );
    }
    values
}

/// Texts that name a boolean or nothing, each twice: what equals a constant may not be the constant.
const NAMES: [&str; 10] = [
    "true", "True", "yes", "Yes", "false", "False", "no", "No", "null", "Null",
];

/// Whether it matters that a text can name a boolean or nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Texts,
    Values,
}

/// A number below all, between each two and above all; whole where possible.
fn between(numbers: &[Number]) -> impl Iterator<Item = Value> {
    let ends = numbers.first().zip(numbers.last());
    let outside =
        ends.map(|(first, last)| [first.as_f64().floor() - 1.0, last.as_f64().ceil() + 1.0]);
    let gaps = numbers
        .iter()
        .zip(numbers.iter().skip(1))
        .map(|(low, high)| {
            let whole = low.as_f64().floor() + 1.0;
            if whole < high.as_f64() {
                whole
            } else {
                f64::midpoint(low.as_f64(), high.as_f64())
            }
        });
    outside
        .into_iter()
        .flatten()
        .chain(gaps)
        .map(whole_if_possible)
}

fn whole_if_possible(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    if number.fract() == 0.0 && number.abs() < 9.0e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}
