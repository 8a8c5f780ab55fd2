//! The names events have in graph workflows.

use serde::{Deserialize, Serialize};

/// Names of the graph-workflow events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the names are those of the graph-workflow document"
)]
#[non_exhaustive]
pub enum Workflow {
    PlanActivated,
    NodeEntered,
    NodeVerified,
    RetryTriggered,
    EdgeFollowed,
    PlanCompleted,
    PlanEscalated,
    PlanExpired,
}
