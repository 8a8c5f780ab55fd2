//! `output_schema`: the shape an answer must have — the word `routing`, `@file`, or a JSON Schema inline.
//!
//! Checks that the text is a schema, with places for its errors; whether an answer fits a schema is for
//! the run to say.
//!
//! ```
//! use attractor_lang::json_schema::{Schema, parse};
//! let (schema, errors) = parse(r#"{"type": "object", "required": ["verdict"]}"#);
//! assert!(errors.is_empty() && matches!(schema, Schema::Inline(_)));
//! assert_eq!(parse("@schemas/plan.json").0, Schema::File("schemas/plan.json".to_owned()));
//! ```

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::LangError;
use crate::referred_file;

/// What an `output_schema` asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Schema {
    /// The routing answer of the engine itself: outcome, preferred label, next nodes, context updates.
    Routing,
    /// A file with a schema, relative to the DOT file.
    File(String),
    /// A schema.
    Inline(Value),
    /// Not readable.
    Broken,
}

const TYPES: &[&str] = &[
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// The words that a schema lists for a property of that name, wherever it is.
pub fn listed<'s>(schema: &'s Value, property: &str) -> Vec<&'s str> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                let own = members.get("properties").and_then(|all| all.get(property));
                let words = own.and_then(|own| own.get("enum")?.as_array());
                found.extend(words.into_iter().flatten().filter_map(Value::as_str));
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found
}

/// Parses an `output_schema`; ranges are bytes of `text`.
pub fn parse(text: &str) -> (Schema, Vec<LangError>) {
    let trimmed = text.trim();
    if trimmed.eq_ignore_ascii_case("routing") {
        return (Schema::Routing, Vec::new());
    }
    if let Some(path) = referred_file(text) {
        return (Schema::File(path.to_owned()), Vec::new());
    }
    match serde_json::from_str::<Value>(text) {
        Ok(schema) => {
            let mut problems = Vec::new();
            check(&schema, "the schema", &mut problems);
            let start = text.len() - text.trim_start().len();
            let range = start..start + trimmed.len();
            let errors = problems
                .into_iter()
                .map(|problem| locate(text, range.clone(), problem))
                .collect();
            (Schema::Inline(schema), errors)
        }
        Err(error) => {
            let at = offset(text, error.line(), error.column());
            let reason = error.to_string();
            let reason = reason.split(" at line").next().unwrap_or_default();
            let message = format!(
                "invalid JSON Schema: {reason}; expected `routing`, `@file.json` or a schema in JSON"
            );
            (Schema::Broken, vec![LangError::new(at, message)])
        }
    }
}

/// An error and the word of the text that it points to.
struct SchemaProblem {
    word: Option<String>,
    message: String,
}

/// Checks a schema and those in it. The depth is bounded by the JSON parser.
fn check(schema: &Value, place: &str, problems: &mut Vec<SchemaProblem>) {
    let fields = match schema {
        Value::Object(fields) => fields,
        Value::Bool(_) => return,
        other => {
            let message = format!(
                "{place} is {other}; expected an object such as `{{\"type\": \"object\"}}`"
            );
            problems.push(SchemaProblem {
                word: Some(other.to_string()),
                message,
            });
            return;
        }
    };
    check_type(fields, problems);
    if let Some(required) = fields.get("required")
        && !required
            .as_array()
            .is_some_and(|names| names.iter().all(Value::is_string))
    {
        let message =
            "invalid `required`; expected a list of names such as `[\"verdict\"]`".to_owned();
        problems.push(SchemaProblem {
            word: Some("\"required\"".to_owned()),
            message,
        });
    }
    if fields.get("enum").is_some_and(|values| !values.is_array()) {
        let message = "invalid `enum`; expected a list of values".to_owned();
        problems.push(SchemaProblem {
            word: Some("\"enum\"".to_owned()),
            message,
        });
    }
    for key in ["properties", "$defs", "definitions", "patternProperties"] {
        match fields.get(key) {
            Some(Value::Object(inner)) => {
                inner
                    .iter()
                    .for_each(|(name, schema)| check(schema, &format!("`{name}`"), problems));
            }
            Some(_) => {
                let message = format!("invalid `{key}`; expected an object of schemas");
                problems.push(SchemaProblem {
                    word: Some(format!("\"{key}\"")),
                    message,
                });
            }
            None => {}
        }
    }
    for key in ["items", "additionalProperties", "not"] {
        if let Some(schema @ (Value::Object(_) | Value::Bool(_))) = fields.get(key) {
            check(schema, &format!("`{key}`"), problems);
        }
    }
    for key in ["anyOf", "allOf", "oneOf"] {
        for schema in fields
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            check(schema, &format!("an item of `{key}`"), problems);
        }
    }
}

fn check_type(fields: &Map<String, Value>, problems: &mut Vec<SchemaProblem>) {
    let named = match fields.get("type") {
        Some(Value::Array(types)) => types.iter().collect(),
        Some(one) => vec![one],
        None => return,
    };
    for name in named {
        if !name.as_str().is_some_and(|name| TYPES.contains(&name)) {
            let message = format!(
                "unknown JSON Schema type {name}; expected one of {}",
                TYPES.join(", ")
            );
            problems.push(SchemaProblem {
                word: Some(name.to_string()),
                message,
            });
        }
    }
}

fn locate(text: &str, whole: std::ops::Range<usize>, problem: SchemaProblem) -> LangError {
    let found = problem
        .word
        .and_then(|word| text.find(&word).map(|at| at..at + word.len()));
    LangError::new(found.unwrap_or(whole), problem.message)
}

/// The character at a line and column (from 1, in bytes), or the end of the text.
fn offset(text: &str, line: usize, column: usize) -> std::ops::Range<usize> {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let at = (start + column.saturating_sub(1)).min(text.len());
    let at = (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let length = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8);
    at..at + length
}
