//! What makes two tool calls the same: the MD5 digest of `{"tool": name, "args": arguments}`.

use std::fmt::Write as _;

use md5::{Digest, Md5};
use serde_json::{Value, json};

/// The fingerprint of a call. The order of the arguments does not matter.
pub fn fingerprint(tool: &str, arguments: &Value) -> String {
    let text = json!({"tool": tool, "args": sorted(arguments)}).to_string();
    let mut fingerprint = String::new();
    for byte in Md5::digest(text.as_bytes()) {
        let _ = write!(fingerprint, "{byte:02x}");
    }
    fingerprint
}

/// The same value with the keys of its tables in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            fields
                .into_iter()
                .map(|(name, field)| (name.clone(), sorted(field)))
                .collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_arguments_does_not_matter_their_values_do() {
        let one = fingerprint(
            "shell",
            &json!({"command": "ls", "timeout_ms": {"a": 1, "b": 2}}),
        );
        let same = fingerprint(
            "shell",
            &json!({"timeout_ms": {"b": 2, "a": 1}, "command": "ls"}),
        );
        assert_eq!(one, same);
        assert_eq!(one.len(), 32);
        assert_ne!(one, fingerprint("shell", &json!({"command": "ls -l"})));
        assert_ne!(one, fingerprint("bash", &json!({"command": "ls"})));
        // The digest of a public example: `printf '{"tool":"t","args":{}}' | md5sum`.
        assert_eq!(
            fingerprint("t", &json!({})),
            "95a1a3a2a272fc26405d6ec6e820744e"
        );
    }
}
