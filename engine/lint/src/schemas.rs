//! The JSON Schema of what `attractor validate` prints.

use attractor_model::generated::schemas::{DRAFT, range_of_text};
use serde_json::{Value, json};

use crate::registry::LINTS;

/// The rule of a file that cannot be read, or holds no pipeline. It is no lint: no setting switches it off.
pub const UNREADABLE_FILE: &str = "unreadable_file";

/// What `attractor validate --format json` prints.
pub fn validate() -> Value {
    let rules = LINTS.iter().map(|lint| lint.rule);
    let rules: Vec<&str> = rules.chain([UNREADABLE_FILE]).collect();
    let text = json!({ "type": "string" });
    let range = range_of_text();
    json!({
        "$schema": DRAFT,
        "title": "attractor validate --format json",
        "type": "object",
        "required": ["files"],
        "properties": { "files": { "type": "array", "items": {
            "type": "object",
            "required": ["path", "diagnostics"],
            "properties": {
                "path": text,
                "diagnostics": { "type": "array", "items": {
                    "type": "object",
                    "required": ["rule", "severity", "message", "range", "fixes"],
                    "properties": {
                        "rule": { "enum": rules },
                        "severity": { "enum": ["error", "warning", "info", "hint"] },
                        "message": text,
                        "range": range,
                        "node": { "type": ["string", "null"] },
                        "fixes": { "type": "array", "items": {
                            "type": "object",
                            "required": ["title", "edits"],
                            "properties": { "title": text, "edits": { "type": "array" } },
                        } },
                    },
                } },
            },
        } } },
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_schemas_that_name_rules_are_fresh() {
        let path = "docs/reference/schemas/validate.schema.json";
        attractor_tests::fresh(path, &format!("{:#}\n", super::validate()));
    }
}
