//! Messages of people and supervisors to nodes.

use serde::{Deserialize, Serialize};

/// A message to a node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub struct SteeringMessage {
    /// What it says.
    pub text: String,
    /// Who sends it: a person, or the supervisor.
    pub by: String,
}

impl SteeringMessage {
    /// A message.
    pub fn new(text: impl Into<String>, by: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            by: by.into(),
        }
    }
}
