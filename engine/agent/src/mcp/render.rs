//! Results of servers as texts for the model.

use std::fmt::Write as _;

use serde_json::Value;

/// Letters of a result.
const MAX_OUTPUT: usize = 200_000;

/// The text of a result, and whether it is an error.
pub(super) fn result(value: &Value) -> (String, bool) {
    let is_error = value
        .get("isError")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    let content = value.get("content").and_then(Value::as_array);
    let parts: Vec<String> = content.into_iter().flatten().map(part).collect();
    let mut text = parts.join("\n");
    if text.is_empty() {
        text = match value.get("structuredContent") {
            Some(structured) if !structured.is_null() => structured.to_string(),
            _ => "[the tool returned nothing]".to_owned(),
        };
    }
    let count = text.chars().count();
    if count > MAX_OUTPUT {
        text = text.chars().take(MAX_OUTPUT).collect();
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n[{} more characters were left out]",
            count - MAX_OUTPUT
        );
    }
    (text, is_error)
}

fn part(part: &Value) -> String {
    let text = |pointer: &str| {
        part.pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    match text("/type") {
        "text" => text("/text").to_owned(),
        kind @ ("image" | "audio") => format!("[{kind} {}, not shown]", text("/mimeType")),
        "resource" if !text("/resource/text").is_empty() => text("/resource/text").to_owned(),
        "resource" => format!("[resource {}, not shown]", text("/resource/uri")),
        "resource_link" => format!("[resource {}: {}]", text("/uri"), text("/name")),
        kind => format!("[content of the kind `{kind}`, not shown]"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_kinds_of_content_are_shown() {
        let content = json!({"content": [
            {"type": "text", "text": "a"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "x:/1", "text": "b"}},
            {"type": "resource", "resource": {"uri": "x:/2", "blob": "AA"}},
            {"type": "resource_link", "uri": "x:/3", "name": "c"},
        ], "isError": true});
        let expected =
            "a\n[image image/png, not shown]\nb\n[resource x:/2, not shown]\n[resource x:/3: c]";
        assert_eq!(result(&content), (expected.to_owned(), true));
        assert_eq!(
            result(&json!({"structuredContent": {"n": 1}})).0,
            r#"{"n":1}"#
        );
        assert_eq!(
            result(&json!({"content": []})).0,
            "[the tool returned nothing]"
        );
        let long = json!({"content": [{"type": "text", "text": "ü".repeat(200_001)}]});
        assert!(
            result(&long)
                .0
                .ends_with("ü\n[1 more characters were left out]")
        );
    }
}
