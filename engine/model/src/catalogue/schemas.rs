//! JSON Schemas of what people write for the program and what it prints, from the tables.
//!
//! Those of runs and their events stand beside their types, in the engine.

use serde_json::{Value, json};

use super::conditions::{CONDITION_WORDS, WordClass};
use super::node_kinds::NodeKind;
use crate::custom::CustomType;
use crate::lints::LINTS;
use crate::options::{Dialect, Level};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// `.attractor/config.toml`.
pub(super) fn config() -> Value {
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
                "description": "Levels of rules.",
                "type": "object",
                "properties": rules,
                "additionalProperties": false,
            },
            "pipelines": {
                "type": "object",
                "properties": {
                    "globs": {
                        "description": "Files whose digraphs are pipelines whatever they hold.",
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
                "description": "Handlers of the project's own, by name.",
                "type": "object",
                "propertyNames": { "not": { "enum": built_in } },
                "additionalProperties": handler,
            },
        },
        "additionalProperties": false,
    })
}

/// JSON plan libraries.
pub(super) fn plan() -> Value {
    let outcomes: Vec<&str> = CONDITION_WORDS
        .iter()
        .filter(|word| word.class == WordClass::Outcome)
        .map(|word| word.name)
        .collect();
    let types: Vec<&str> = crate::plan::TYPES.iter().map(|(name, _)| *name).collect();
    let step = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "type": { "enum": types },
            "action": { "description": "What is to be done.", "type": "string" },
            "tool_hint": { "type": "string" },
            "description": { "type": "string" },
            "tool": { "type": "string" },
            "verify": {
                "description": "How to see that it was done: `output_contains:TEXT`, or its parts.",
                "anyOf": [
                    { "type": "string" },
                    {
                        "type": "object",
                        "required": ["type"],
                        "properties": { "type": { "type": "string" }, "value": { "type": ["string", "number"] } },
                    },
                ],
            },
            "reason": { "description": "Why it escalates.", "type": "string" },
            "pace_level": { "type": "string" },
            "max_retries": { "type": "integer", "minimum": 0 },
        },
    });
    json!({
        "$schema": DRAFT,
        "title": "Plan library",
        "description": "A plan, a list of plans, a table of plans by name, or one of these under `plans`.",
        "$defs": {
            "step": step,
            "plans": {
                "anyOf": [
                    { "type": "array", "items": { "$ref": "#/$defs/plan" } },
                    { "type": "object", "additionalProperties": { "$ref": "#/$defs/plan" } },
                ],
            },
            "plan": {
                "type": "object",
                "anyOf": [{ "required": ["graph"] }, { "required": ["steps"] }],
                "properties": {
                    "id": { "type": "string" },
                    "name": { "type": "string" },
                    "steps": { "type": "array", "items": { "$ref": "#/$defs/step" } },
                    "graph": {
                        "type": "object",
                        "required": ["nodes", "edges"],
                        "properties": {
                            "start": { "type": "string" },
                            "nodes": {
                                "type": "object",
                                "additionalProperties": { "$ref": "#/$defs/step" },
                            },
                            "edges": {
                                "type": "array",
                                "items": {
                                    "type": "object",
                                    "required": ["from", "to"],
                                    "properties": {
                                        "from": { "type": "string" },
                                        "to": { "type": "string" },
                                        "condition": {
                                            "description": "One of the words, or a condition.",
                                            "type": "string",
                                            "examples": outcomes,
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
        "anyOf": [
            { "$ref": "#/$defs/plan" },
            { "$ref": "#/$defs/plans" },
            {
                "type": "object",
                "required": ["plans"],
                "properties": { "plans": { "$ref": "#/$defs/plans" } },
            },
        ],
    })
}

/// What `attractor validate --format json` prints.
pub(super) fn validate() -> Value {
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

/// What `attractor graph --format json` prints.
pub(super) fn graph() -> Value {
    let text = json!({ "type": "string" });
    let flag = json!({ "type": "boolean" });
    let range = json!({ "$ref": "#/$defs/range" });
    let attributes = json!({
        "description": "Names and values as Graphviz understands them, defaults included.",
        "type": "object",
        "additionalProperties": text,
    });
    let html = json!({
        "description": "The names of those whose value is HTML.",
        "type": "array",
        "items": text,
    });
    let origins: Vec<&str> = crate::resolve::ORIGINS.to_vec();
    json!({
        "$schema": DRAFT,
        "title": "attractor graph --format json",
        "type": "object",
        "required": ["valid", "portable", "charset", "graphs"],
        "properties": {
            "valid": { "description": "Whether it is DOT without a mistake.", "type": "boolean" },
            "portable": { "description": "Whether Graphviz reads it as it is written.", "type": "boolean" },
            "charset": { "enum": ["utf-8", "latin1"] },
            "graphs": { "type": "array", "items": { "$ref": "#/$defs/graph" } },
        },
        "$defs": {
            "range": range_of_text(),
            "graph": {
                "type": "object",
                "required": ["name", "directed", "strict", "pipeline", "attributes", "nodes", "edges", "subgraphs"],
                "properties": {
                    "name": { "type": ["string", "null"] },
                    "directed": flag,
                    "strict": flag,
                    "pipeline": flag,
                    "attributes": attributes,
                    "html": html,
                    "nodes": { "type": "array", "items": { "$ref": "#/$defs/node" } },
                    "edges": { "type": "array", "items": { "$ref": "#/$defs/edge" } },
                    "subgraphs": { "type": "array", "items": { "$ref": "#/$defs/subgraph" } },
                },
                "additionalProperties": false,
            },
            "node": {
                "type": "object",
                "required": ["id", "handler", "attributes", "resolved", "range"],
                "properties": {
                    "id": text,
                    "handler": { "description": "The kind of node; null in a graph that is no pipeline.", "type": ["string", "null"] },
                    "attributes": attributes,
                    "html": html,
                    "resolved": { "type": "array", "items": { "$ref": "#/$defs/value" } },
                    "range": range,
                },
                "additionalProperties": false,
            },
            "value": {
                "description": "A value a run would see, and where it came from.",
                "type": "object",
                "required": ["name", "value", "origin"],
                "properties": {
                    "name": text,
                    "value": text,
                    "origin": { "enum": origins },
                    "selector": text,
                    "range": range,
                },
                "additionalProperties": false,
            },
            "edge": {
                "type": "object",
                "required": ["from", "to", "attributes", "range"],
                "properties": {
                    "from": text,
                    "to": text,
                    "from_port": text,
                    "to_port": text,
                    "attributes": attributes,
                    "html": html,
                    "range": range,
                },
                "additionalProperties": false,
            },
            "subgraph": {
                "type": "object",
                "required": ["name", "parent", "attributes", "nodes", "range"],
                "properties": {
                    "name": { "type": ["string", "null"] },
                    "parent": { "description": "The position of the subgraph around it.", "type": ["integer", "null"] },
                    "attributes": attributes,
                    "html": html,
                    "nodes": { "type": "array", "items": text },
                    "range": range,
                },
                "additionalProperties": false,
            },
        },
    })
}

/// Two places; the end is exclusive.
fn range_of_text() -> Value {
    let place = json!({
        "type": "object",
        "required": ["line", "column"],
        "properties": {
            "line": { "type": "integer", "minimum": 1 },
            "column": { "description": "In characters.", "type": "integer", "minimum": 1 },
        },
    });
    json!({
        "type": "object",
        "required": ["start", "end"],
        "properties": { "start": place, "end": place },
    })
}
