//! The begin and the end of a tool call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
