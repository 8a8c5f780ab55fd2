//! The begin and the end of a tool call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::plan::AgentPlan;

/// The arguments that say what a call is about, the most telling first.
const SUBJECTS: &[&str] = &[
    "command",
    "pattern",
    "path",
    "file_path",
    "query",
    "url",
    "question",
    "task",
    "message",
    "name",
    "agent_id",
    "input",
    "patch",
];

/// A tool is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct ToolCallStart {
    /// The tool.
    pub tool_name: String,
    /// The call.
    pub tool_call_id: String,
    /// Its arguments; in the events of a run, long texts are shortened.
    pub arguments: Value,
}

/// A tool call has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub struct ToolCallEnd {
    /// The tool.
    pub tool_name: String,
    /// The call.
    pub tool_call_id: String,
    /// What the model gets; shortened in the events of a run.
    pub output: String,
    /// Whether it failed.
    pub is_error: bool,
}

impl ToolCallStart {
    /// What the call is about: its command, pattern or path, the state of a plan, else all its arguments.
    pub fn subject(&self) -> String {
        if let Ok(plan) = AgentPlan::deserialize(&self.arguments) {
            return plan.summary();
        }
        let named = SUBJECTS.iter().find_map(|name| self.arguments.get(name));
        let values = match (named, &self.arguments) {
            (Some(value), _) => vec![shown(value)],
            (None, Value::Object(all)) => all.values().map(shown).collect(),
            (None, _) => Vec::new(),
        };
        values.join(" ")
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_shown_by_their_subject() {
        for (arguments, expected) in [
            (
                json!({"path": "a.py", "old_string": "x", "new_string": "y"}),
                "a.py",
            ),
            (
                json!({"timeout_ms": 5, "command": "cargo test"}),
                "cargo test",
            ),
            (json!({"path": "src", "pattern": "fn main"}), "fn main"),
            (
                json!({"steps": [{"step": "Test", "status": "in_progress"}]}),
                "0 of 1 step · Test",
            ),
            (json!({"server": "x", "count": 2}), "x 2"),
            (json!({}), ""),
            (json!(null), ""),
        ] {
            let call = ToolCallStart {
                tool_name: String::new(),
                tool_call_id: String::new(),
                arguments,
            };
            assert_eq!(call.subject(), expected, "{call:?}");
        }
    }
}
