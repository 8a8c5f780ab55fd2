//! JSON Schemas that name the rules: of the configuration file, and of what `attractor validate` prints.

use attractor_model::catalogue::NodeKind;
use attractor_model::catalogue::schemas::{DRAFT, range_of_text};
use attractor_model::{CustomType, Dialect, Level};
use serde_json::{Value, json};

use crate::registry::LINTS;

/// `.attractor/config.toml`.
pub fn config() -> Value {
    let words = ["off", "warning"].into_iter();
    let levels: Vec<&str> = Level::ALL
        .iter()
        .map(|level| level.name())
        .chain(words)
        .collect();
    let rules: serde_json::Map<String, Value> = LINTS
        .iter()
        .map(|lint| {
            let rule = json!({
                "description": lint.summary,
                "default": lint.level.name(),
                "enum": levels,
            });
            (lint.rule.to_owned(), rule)
        })
        .collect();
    let dialects: Vec<&str> = std::iter::once("auto")
        .chain(Dialect::ALL.iter().map(|dialect| dialect.name()))
        .collect();
    let text = json!({ "type": "string" });
    let built_in: Vec<&str> = NodeKind::names().collect();
    let types = CustomType::ALL.map(CustomType::name);
    let handler = json!({
        "type": "object",
        "required": ["command"],
        "properties": {
            "command": {
                "description": "The program and its arguments. It reads a JSON object from standard input and writes the outcome to standard output.",
                "type": "array",
                "items": text,
                "minItems": 1,
            },
            "doc": text,
            "sets": {
                "description": "Context keys it sets.",
                "type": "array",
                "items": text,
            },
            "attributes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                        "name": { "type": "string", "minLength": 1 },
                        "type": { "enum": types },
                        "doc": text,
                        "required": { "type": "boolean" },
                    },
                    "additionalProperties": false,
                },
            },
        },
        "additionalProperties": false,
    });
    json!({
        "$schema": DRAFT,
        "title": ".attractor/config.toml",
        "type": "object",
        "properties": {
            "dialect": {
                "description": "The dialect of files that do not name one.",
                "enum": dialects,
            },
            "lints": {
                "description": "Severity per lint rule.",
                "type": "object",
                "properties": rules,
                "additionalProperties": false,
            },
            "pipelines": {
                "type": "object",
                "properties": {
                    "globs": {
                        "description": "Files whose digraphs are always pipelines.",
                        "type": "array",
                        "items": text,
                    },
                },
                "additionalProperties": false,
            },
            "format": {
                "description": "The layout of the formatter.",
                "type": "object",
                "properties": {
                    "indent": { "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 16 }, { "const": "tab" }] },
                    "width": { "type": "integer", "minimum": 20, "maximum": 1000 },
                    "align": { "type": "boolean" },
                    "semicolons": { "enum": ["keep", "always", "never"] },
                    "sort": { "type": "boolean" },
                },
                "additionalProperties": false,
            },
            "handlers": {
                "description": "Custom handlers of the project, by name.",
                "type": "object",
                "propertyNames": { "not": { "enum": built_in } },
                "additionalProperties": handler,
            },
        },
        "additionalProperties": false,
    })
}

/// What `attractor validate --format json` prints.
pub fn validate() -> Value {
    let rules: Vec<&str> = LINTS.iter().map(|lint| lint.rule).collect();
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
        for (file, schema) in [("config", super::config()), ("validate", super::validate())] {
            let path = format!("docs/reference/schemas/{file}.schema.json");
            attractor_tests::fresh(&path, &format!("{schema:#}\n"));
        }
    }
}
