//! Values as a client shows them: one line each, cut where they are long, with a number for what is inside.

use serde_json::Value;

use crate::protocol::Variable;

/// Bytes of a value that are shown.
const MAX_SHOWN: usize = 16 * 1024;

/// Entries of a list or table that are shown when the client does not ask for a part.
pub(crate) const MAX_ENTRIES: usize = 1000;

/// A value that a client can look into, by number.
#[derive(Default)]
pub(crate) struct References {
    entries: Vec<Reference>,
}

/// What a number is of.
#[derive(Clone)]
pub(crate) enum Reference {
    /// A scope of a frame.
    Scope {
        kind: ScopeKind,
        frame: attractor_machine::frame::FrameId,
    },
    /// A list or table.
    Value(Value),
}

/// The scopes of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Context,
    Node,
    Outcome,
    Cost,
}

impl References {
    /// Forgets all numbers: the run has continued, or another moment is shown.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn add(&mut self, reference: Reference) -> i64 {
        self.entries.push(reference);
        i64::try_from(self.entries.len()).unwrap_or(0)
    }

    pub(crate) fn get(&self, number: i64) -> Option<&Reference> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.entries.get(index)
    }

    /// A variable with a value.
    pub(crate) fn variable(&mut self, name: &str, value: &Value) -> Variable {
        let (named, indexed) = match value {
            Value::Object(table) if !table.is_empty() => (Some(table.len()), None),
            Value::Array(items) if !items.is_empty() => (None, Some(items.len())),
            _ => (None, None),
        };
        let reference = match named.or(indexed) {
            Some(_) => self.add(Reference::Value(value.clone())),
            None => 0,
        };
        Variable {
            name: name.to_owned(),
            value: shown(value),
            kind: Some(kind(value).to_owned()),
            evaluate_name: None,
            variables_reference: reference,
            named_variables: named,
            indexed_variables: indexed,
        }
    }
}

/// A text without a value behind it.
pub(crate) fn text(name: &str, value: impl Into<String>) -> Variable {
    Variable {
        name: name.to_owned(),
        value: cut(&value.into()),
        ..Variable::default()
    }
}

/// A value as JSON, which has no control characters; cut where it is long.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        // Not serialised as a whole to be cut then.
        Value::String(text) if text.len() > MAX_SHOWN => {
            let end = text.floor_char_boundary(MAX_SHOWN);
            let begin = Value::from(text.get(..end).unwrap_or_default()).to_string();
            format!("{begin} … ({} bytes in all)", text.len())
        }
        Value::Array(items) if items.len() > 100 => format!("[…] ({} items)", items.len()),
        Value::Object(table) if table.len() > 100 => format!("{{…}} ({} keys)", table.len()),
        value => cut(&value.to_string()),
    }
}

fn cut(text: &str) -> String {
    if text.len() <= MAX_SHOWN {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MAX_SHOWN);
    let begin = text.get(..end).unwrap_or_default();
    format!("{begin} … ({} bytes in all)", text.len())
}

/// What kind of value it is, for people.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "table",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_values_are_cut_with_a_note() {
        let long = shown(&json!("x".repeat(10 * 1024 * 1024)));
        assert!(long.len() < MAX_SHOWN + 100);
        assert!(
            long.ends_with("… (10485760 bytes in all)"),
            "{}",
            &long[long.len() - 40..]
        );
        assert_eq!(shown(&json!("a\u{1b}[2Jb")), r#""a\u001b[2Jb""#);
        assert_eq!(shown(&json!([1, {"a": null}])), r#"[1,{"a":null}]"#);
        assert_eq!(shown(&json!(vec![0; 5000])), "[…] (5000 items)");
    }
}
