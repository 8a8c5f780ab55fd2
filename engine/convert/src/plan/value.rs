//! Values of a plan: JSON → the text of an attribute, and back.
//!
//! Attributes the catalogue knows hold their text as it is. All else is text too, or JSON where it is no text; a
//! text that looks like JSON is written as JSON text, so that it comes back as what it was.

use serde_json::{Map, Value};

use attractor_lang::lists::{self, Separator};
use attractor_model::catalogue::{AttrType, AttributeRow, values};

/// The text of a field that is the attribute of `row`; none for attributes the catalogue does not know.
pub(super) fn to_text(row: Option<&AttributeRow>, value: &Value) -> String {
    match (value, row.map(|row| row.ty)) {
        (Value::String(text), Some(_)) => text.clone(),
        (Value::String(text), None) if !is_json(text) => text.clone(),
        (Value::Null, Some(_)) => String::new(),
        (Value::Array(items), Some(AttrType::List)) => {
            listed(items).unwrap_or_else(|| value.to_string())
        }
        (other, _) => other.to_string(),
    }
}

/// The value of an attribute, with the row the catalogue has for it.
pub(super) fn to_json(row: Option<&AttributeRow>, text: &str) -> Value {
    let json = || serde_json::from_str(text).ok();
    let value = match row.map(|row| row.ty) {
        Some(AttrType::List) => match json() {
            Some(list @ Value::Array(_)) => Some(list),
            _ => Some(values::list(text).map(|(item, _)| item).collect()),
        },
        Some(
            AttrType::Int { .. }
            | AttrType::Float { .. }
            | AttrType::Money
            | AttrType::Duration
            | AttrType::Bool
            | AttrType::BoolOrCondition,
        ) => json().filter(|value| matches!(value, Value::Number(_) | Value::Bool(_))),
        Some(_) => None,
        None => json(),
    };
    value.unwrap_or_else(|| text.into())
}

/// Texts by commas, when they come back as they are.
fn listed(items: &[Value]) -> Option<String> {
    let texts = items
        .iter()
        .map(Value::as_str)
        .collect::<Option<Vec<_>>>()?;
    lists::print(&texts, Separator::Comma).filter(|text| !is_json(text))
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// `{"type": "output_contains", "value": "ok"}` is `output_contains:ok`.
pub(super) fn verify_to_text(json: &Value) -> String {
    let plain = |value: &Value| to_text(None, value);
    match (json.get("type").and_then(Value::as_str), json.get("value")) {
        (Some(kind), Some(value)) if !value.is_null() => {
            let value = value.as_str().map_or_else(|| plain(value), str::to_owned);
            format!("{kind}:{value}")
        }
        (Some(kind), _) => kind.to_owned(),
        (None, _) => json.as_str().map_or_else(|| plain(json), str::to_owned),
    }
}

/// And back. The value is a number where a number is asked for.
pub(super) fn verify_to_json(text: &str) -> Value {
    let (kind, value) = match text.split_once(':') {
        Some((kind, value)) => (kind, Some(value)),
        None => (text, None),
    };
    let mut verify = Map::from_iter([("type".to_owned(), kind.into())]);
    verify.extend(value.map(|value| {
        let number = value.parse::<i64>().ok().filter(|_| kind == "exit_code");
        (
            "value".to_owned(),
            number.map_or_else(|| value.into(), Value::from),
        )
    }));
    verify.into()
}
