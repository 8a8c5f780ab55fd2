//! Rule lists as data (JSON, or TOML and YAML read as such) → stylesheet.
//!
//! `{"rules": [{"handler_type": "codergen", "model": "…"}, {"name_pattern": "test_*", "timeout": 120}]}`:
//! all criteria of a rule must match, and later rules override earlier ones.

use serde_json::{Map, Value};

use super::{Declaration, Part, PartKind, Rule, Selector, Stylesheet, Weight};

/// Reads a rule list: a table with `rules`, or the list itself. What cannot be read is left out and named.
pub fn from_rules(data: &Value) -> (Stylesheet, Vec<String>) {
    let mut problems = Vec::new();
    let Some(list) = data.get("rules").unwrap_or(data).as_array() else {
        problems.push("a rule list is a table with `rules`, a list of tables".to_owned());
        return (Stylesheet::default(), problems);
    };
    let mut rules = Vec::new();
    for (at, entry) in list.iter().enumerate() {
        match entry.as_object() {
            Some(fields) => rules.push(rule(fields, at + 1, &mut problems)),
            None => problems.push(format!("rule {} is no table", at + 1)),
        }
    }
    let sheet = Stylesheet {
        rules,
        comments: Vec::new(),
    };
    (sheet, problems)
}

fn rule(fields: &Map<String, Value>, number: usize, problems: &mut Vec<String>) -> Rule {
    let mut parts = Vec::new();
    let mut declarations = Vec::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            (_, Value::Null) => {}
            ("handler_type", Value::String(kind)) => parts.push(PartKind::Name(kind.clone())),
            ("name_pattern", Value::String(pattern)) => {
                parts.push(PartKind::Attribute {
                    name: "name".to_owned(),
                    value: pattern.clone(),
                });
            }
            ("match_attributes", Value::Object(wanted)) => {
                parts.extend(wanted.iter().map(|(name, value)| PartKind::Attribute {
                    name: name.clone(),
                    value: plain(value),
                }));
            }
            ("extra", Value::Object(extra)) => {
                declarations.extend(extra.iter().map(|(key, value)| declaration(key, value)));
            }
            ("handler_type" | "name_pattern", _) => {
                problems.push(format!("`{key}` of rule {number} must be a text"));
            }
            ("match_attributes" | "extra", _) => {
                problems.push(format!("`{key}` of rule {number} must be a table"));
            }
            _ => declarations.push(declaration(key, value)),
        }
    }
    if parts.is_empty() {
        parts.push(PartKind::Any);
    }
    let parts = parts
        .into_iter()
        .map(|kind| Part { kind, range: 0..0 })
        .collect();
    let selectors = vec![Selector { parts, range: 0..0 }];
    Rule {
        selectors,
        declarations,
        range: 0..0,
        weight: Weight::ByOrder,
    }
}

fn declaration(property: &str, value: &Value) -> Declaration {
    Declaration {
        property: property.to_owned(),
        property_range: 0..0,
        value: plain(value),
        value_range: 0..0,
    }
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
