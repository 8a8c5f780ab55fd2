//! A tool call of an agent, in a line.

use serde_json::Value;

/// The arguments that say what a call is about; the first one that a call has is shown.
const SUBJECTS: &[&str] = &[
    "command",
    "path",
    "file_path",
    "pattern",
    "question",
    "task",
    "agent_id",
    "input",
    "patch",
];

/// What a call is about: its command, path or pattern, else all its arguments.
pub fn subject(arguments: &Value) -> String {
    let named = SUBJECTS.iter().find_map(|name| arguments.get(name));
    let values = match (named, arguments) {
        (Some(value), _) => vec![shown(value)],
        (None, Value::Object(all)) => all.values().map(shown).collect(),
        (None, _) => Vec::new(),
    };
    values.join(" ")
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_shown_by_their_subject() {
        for (arguments, expected) in [
            (
                json!({"path": "a.py", "old_string": "x", "new_string": "y"}),
                "a.py",
            ),
            (
                json!({"timeout_ms": 5, "command": "cargo test"}),
                "cargo test",
            ),
            (json!({"pattern": "fn main", "include": "*.rs"}), "fn main"),
            (json!({"server": "x", "count": 2}), "x 2"),
            (json!({}), ""),
            (json!(null), ""),
        ] {
            assert_eq!(subject(&arguments), expected, "{arguments}");
        }
    }
}
