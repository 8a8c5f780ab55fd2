//! One call of a model by the agent of a node.

use serde::{Deserialize, Serialize};

use crate::outcome::Usage;

/// One call of a model, by an agent or its subagent. Its event is at its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct AgentModelCall {
    /// The provider that answered.
    pub provider: String,
    /// The model that answered, as the provider names it.
    pub model: String,
    /// What it cost.
    pub usage: Usage,
    /// Milliseconds it took.
    pub duration_ms: u64,
    /// Why the model stopped: `stop`, `tool_use`, `length`.
    pub finish_reason: String,
}
