//! `parse_json`: what a model or a command gave out as JSON, in the context.

use attractor_machine::context::json_text::parsed;
use attractor_machine::outcome::Outcome;
use serde_json::Value;

/// Sets what a text holds as JSON, whole or in its last fenced block: the fields of an object as `KEY.name`, a list as
/// `KEY`. Says whether there was either.
pub(super) fn set_parsed(outcome: &mut Outcome, key: &str, text: &str) -> bool {
    let updates = &mut outcome.context_updates;
    match parsed(text) {
        Some(Value::Object(table)) => {
            let fields = table.into_iter();
            updates.extend(fields.map(|(name, value)| (format!("{key}.{name}"), value)));
            true
        }
        Some(list) => {
            updates.insert(key.to_owned(), list);
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_set_their_fields_and_lists_the_key() {
        for (text, expected) in [
            ("{\"a\": 1, \"b\": [2]}", json!({"k.a": 1, "k.b": [2]})),
            (" [1, {\"a\": 2}]\n", json!({"k": [1, {"a": 2}]})),
            ("Here:\n```json\n[\"x\"]\n```", json!({"k": ["x"]})),
            ("7", json!({})),
            ("no JSON", json!({})),
        ] {
            let mut outcome = Outcome::success();
            let found = set_parsed(&mut outcome, "k", text);
            assert_eq!(json!(outcome.context_updates), expected, "{text}");
            assert_eq!(found, expected != json!({}), "{text}");
        }
    }
}
