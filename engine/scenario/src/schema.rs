//! The JSON Schemas of a scenario file, for completion in TOML editors, and of what `attractor test` prints.

use attractor_model::generated::schemas::{DRAFT, range_of_text};
use serde_json::{Value, json};

use crate::expectation::End;

/// The schema. What it cannot know, the names of nodes, is checked with the pipeline.
pub fn schema() -> Value {
    let text = json!({ "type": "string" });
    let statuses: Vec<&str> = attractor_lang::Status::KNOWN
        .iter()
        .map(attractor_lang::Status::name)
        .collect();
    let status = json!({
        "description": "A status, or a word of the pipeline's own.",
        "anyOf": [{ "enum": statuses }, { "type": "string" }],
    });
    let outcome = json!({
        "anyOf": [
            status,
            {
                "type": "object",
                "properties": {
                    "status": status,
                    "class": { "description": "The failure class of a failure.", "type": "string" },
                    "label": { "description": "The edge label the node prefers.", "type": "string" },
                    "next": { "description": "The node it insists on.", "type": "string" },
                    "output": { "description": "What the command prints, or the model answers.", "type": "string" },
                    "set": { "description": "Context keys it sets.", "type": "object" },
                },
                "additionalProperties": false,
            },
        ],
    });
    let one_or_more = |item: &Value| json!({ "anyOf": [item, { "type": "array", "items": item, "minItems": 1 }] });
    let ends = End::ALL.map(End::name);
    let expect = json!({
        "description": "What the run is expected to do. Without `end`, it is expected to succeed.",
        "type": "object",
        "properties": {
            "path": {
                "description": "The nodes it enters, in order; \"…\" matches any nodes.",
                "type": "array",
                "items": text,
            },
            "end": { "description": "How it ends.", "enum": ends, "default": "success" },
            "end_node": { "description": "The last node it enters.", "type": "string" },
            "reason": { "description": "Text that the reason of its failure contains.", "type": "string" },
            "context": { "description": "Values of the context at its end.", "type": "object" },
            "where": { "description": "Conditions that hold at its end.", "type": "array", "items": text },
        },
        "additionalProperties": false,
    });
    let scenario = json!({
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": { "description": "Its name, unique in the file.", "type": "string", "minLength": 1 },
            "graph": { "description": "The pipeline it runs; the first of the file without one.", "type": "string" },
            "inputs": { "description": "Initial values of the context.", "type": "object" },
            "outcomes": {
                "description": "What nodes result in, in order of their attempts; the last one repeats. Without it, a node succeeds.",
                "type": "object",
                "additionalProperties": one_or_more(&outcome),
            },
            "answers": {
                "description": "How human gates are answered, in order of their visits; the last answer repeats.",
                "type": "object",
                "additionalProperties": one_or_more(&text),
            },
            "cassette": {
                "description": "The file with recorded answers of models, relative to this one.",
                "type": "string",
            },
            "max_steps": { "description": "Steps after which the run is stopped.", "type": "integer", "minimum": 1 },
            "expect": expect,
        },
        "additionalProperties": false,
    });
    json!({
        "$schema": DRAFT,
        "title": "NAME.test.toml",
        "type": "object",
        "properties": {
            "pipeline": {
                "description": "The file of the pipeline, relative to this one; without it, NAME.dot.",
                "type": "string",
            },
            "scenario": { "type": "array", "items": scenario },
        },
        "additionalProperties": false,
    })
}

/// What `attractor test --format json` prints.
pub fn report() -> Value {
    let text = json!({ "type": "string" });
    let text_or_null = json!({ "type": ["string", "null"] });
    let count = json!({ "type": "integer", "minimum": 0 });
    let range = range_of_text();
    // Every field is always there.
    let object = |properties: Value| {
        let names = properties.as_object().into_iter().flatten();
        let required: Vec<&String> = names.map(|(name, _)| name).collect();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let list = |item: Value| json!({ "type": "array", "items": item });
    let diagnostic = object(json!({
        "rule": text,
        "severity": { "enum": ["error", "warning", "info", "hint"] },
        "message": text,
        "range": range,
        "fixes": { "type": "array" },
    }));
    let failure = object(json!({
        "message": text,
        "expected": text,
        "actual": text,
        "reason": text_or_null,
        "range": range,
    }));
    let scenario = object(json!({
        "name": text,
        "graph": text,
        "range": range,
        "status": { "enum": ["passed", "failed"] },
        "end": { "description": "How its run ended; null when it could not start.", "type": ["string", "null"] },
        "path": list(text.clone()),
        "failures": list(failure),
    }));
    let edge = object(json!({
        "from": text,
        "to": text,
        "label": text_or_null,
        "condition": text_or_null,
        "taken": count,
        "range": range,
    }));
    let node = object(json!({ "id": text, "visits": count, "range": range }));
    let percent = json!({ "type": "integer", "minimum": 0, "maximum": 100 });
    let graph = object(
        json!({ "graph": text, "percent": percent, "edges": list(edge), "nodes": list(node) }),
    );
    let file = object(json!({
        "path": text,
        "pipeline": text,
        "diagnostics": list(diagnostic),
        "scenarios": list(scenario),
        "coverage": list(graph),
    }));
    let summary = object(json!({
        "passed": count,
        "failed": count,
        "invalid_files": count,
        "edges": count,
        "edges_covered": count,
        "nodes": count,
        "nodes_covered": count,
        "percent": percent,
    }));
    json!({
        "$schema": DRAFT,
        "title": "attractor test --format json",
        "type": "object",
        "required": ["files", "summary"],
        "properties": { "files": list(file), "summary": summary },
    })
}

#[cfg(test)]
mod tests {
    use crate::file::{EXPECT_KEYS, FILE_KEYS, OUTCOME_KEYS, SCENARIO_KEYS};

    #[test]
    fn the_schema_of_scenario_files_is_fresh() {
        let path = "docs/reference/schemas/scenario.schema.json";
        attractor_tests::fresh(path, &format!("{:#}\n", super::schema()));
    }

    #[test]
    fn the_schema_of_results_is_fresh() {
        let path = "docs/reference/schemas/test.schema.json";
        attractor_tests::fresh(path, &format!("{:#}\n", super::report()));
    }

    /// The names of an object's properties.
    fn keys(object: &serde_json::Value) -> Vec<&str> {
        let properties = object["properties"].as_object().unwrap();
        properties.keys().map(String::as_str).collect()
    }

    #[test]
    fn the_schema_has_every_key_that_is_read() {
        let schema = super::schema();
        let scenario = &schema["properties"]["scenario"]["items"];
        let outcomes = &scenario["properties"]["outcomes"]["additionalProperties"];
        assert_eq!(keys(&schema), FILE_KEYS);
        assert_eq!(keys(scenario), SCENARIO_KEYS);
        assert_eq!(keys(&outcomes["anyOf"][0]["anyOf"][1]), OUTCOME_KEYS);
        assert_eq!(keys(&scenario["properties"]["expect"]), EXPECT_KEYS);
    }
}
