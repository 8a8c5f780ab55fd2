//! What a call of a tool changes in a file, for who is asked to allow it. Pure.

use serde_json::Value;

/// The lines that a call adds and removes, as of a difference; empty for calls that edit no file.
pub fn preview(arguments: &Value) -> String {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    if let Some(patch) = text("patch") {
        return patch.to_owned();
    }
    let mut lines = String::new();
    for (name, mark) in [("old_string", '-'), ("new_string", '+'), ("content", '+')] {
        for line in text(name).unwrap_or_default().lines() {
            lines.push(mark);
            lines.push_str(line);
            lines.push('\n');
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::preview;

    #[test]
    fn edits_are_shown_as_differences() {
        let edit = json!({ "path": "a", "old_string": "one\ntwo", "new_string": "three" });
        assert_eq!(preview(&edit), "-one\n-two\n+three\n");
        let written = json!({ "path": "a", "content": "x\n" });
        assert_eq!(preview(&written), "+x\n");
        assert_eq!(preview(&json!({ "command": "ls" })), "");
    }
}
