//! JSON Schemas of what people write for the program and what it prints, from the tables.
//!
//! Those of runs and their events are next to their types, in the engine.

use serde_json::{Value, json};

/// The version of JSON Schema.
pub const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

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
            "valid": { "description": "Whether the DOT has no syntax errors.", "type": "boolean" },
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
                    "handler": { "description": "The kind of node; null in a graph that is not a pipeline.", "type": ["string", "null"] },
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

/// Two positions in a text; the end is exclusive.
pub fn range_of_text() -> Value {
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
