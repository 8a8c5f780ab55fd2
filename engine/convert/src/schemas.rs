//! The JSON Schema of plan libraries.

use attractor_model::catalogue::{CONDITION_WORDS, WordClass};
use attractor_model::generated::schemas::DRAFT;
use serde_json::{Value, json};

/// JSON plan libraries.
pub fn plan() -> Value {
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
            "action": { "description": "The work to do.", "type": "string" },
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
                    "triggers": {
                        "description": "Phrases of tasks the plan is for.",
                        "type": "array",
                        "items": { "type": "string" },
                    },
                    "trigger_threshold": {
                        "description": "How many of the triggers must occur in a task.",
                        "type": "integer",
                        "minimum": 1,
                        "default": 1,
                    },
                    "domains": {
                        "description": "Kinds of work the plan is for.",
                        "type": "array",
                        "items": { "type": "string" },
                    },
                    "stale_after_turns": {
                        "description": "The plan expires after this many model turns on one node.",
                        "type": "integer",
                        "minimum": 0,
                    },
                    "workflow_context": {
                        "description": "Whether prompts begin with the state of the workflow.",
                        "type": "boolean",
                        "default": true,
                    },
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

#[cfg(test)]
mod tests {
    #[test]
    fn the_schemas_of_plans_are_fresh() {
        let path = "docs/reference/schemas/plan.schema.json";
        attractor_tests::fresh(path, &format!("{:#}\n", super::plan()));
    }
}
