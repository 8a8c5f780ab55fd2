//! Which attempt of which node an event is about.

use serde::{Deserialize, Serialize};

/// Where in the run something happened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct NodeAttempt {
    /// The node.
    pub node: String,
    /// The sub-pipeline the node belongs to; none for the pipeline that was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The parallel branch, `split/branch`, nested ones joined by `/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// How often the node has been entered, from 1.
    pub visit: u32,
    /// Attempt within the visit, from 1.
    pub attempt: u32,
}
