//! Why an edge was followed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which routing rule chose an edge (language reference, section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: each reader words every rule of the specification, section 3.3.
pub enum Rule {
    /// The handler set `next_node`.
    NextNode,
    /// A condition was true.
    Condition,
    /// The label equals `preferred_label`.
    PreferredLabel,
    /// One of `suggested_next_ids`.
    SuggestedNext,
    /// The first edge without a condition.
    Unconditional,
    /// `retry_target` or `fallback_retry_target` after a failure.
    RetryTarget,
    /// A goal gate sent the run back.
    GoalGate,
    /// `on_retry` while retries remain.
    OnRetry,
    /// `on_exhaust` after the last retry.
    OnExhaust,
    /// The end of a counted loop goes back to its beginning.
    Loop,
    /// Branches meet.
    Join,
}

/// One comparison of the condition that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct ClauseValue {
    /// The edge's target.
    pub to: String,
    /// The comparison as written.
    pub text: String,
    /// Its result.
    pub value: bool,
    /// The values it compared, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub operands: BTreeMap<String, Value>,
}
