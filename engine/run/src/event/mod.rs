//! What happens in a run, in the words every reader shares.
//!
//! The journal, `--format events`, the editor and HTTP all carry these events and nothing else.
//! `seq` counts from 1 without holes. On the wire an event is one flat object:
//! `{"run":"01J…","seq":7,"time":"2026-01-02T03:04:05.678Z","type":"stage_completed","node":"build",…}`.
//! The graph-workflow names (`node_entered`, …) ride along as `workflow`.

mod kind;

use std::collections::BTreeMap;

use attractor_exec::OutputStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use kind::EventKind;

/// One event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct Event {
    /// The run's id.
    pub run: String,
    /// Position in the run, from 1, without holes.
    pub seq: u64,
    /// When, RFC 3339 with milliseconds, UTC.
    pub time: String,
    /// Whether models are simulated or the whole run is dry.
    #[serde(default, skip_serializing_if = "is_false")]
    pub simulated: bool,
    /// The name this event has in graph workflows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<Workflow>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Names of the graph-workflow events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the names are those of the graph-workflow document"
)]
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

/// Where in the run something happened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct NodeAttempt {
    /// The node.
    pub node: String,
    /// The sub-pipeline the node belongs to; none for the pipeline that was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The parallel branch, `fork/branch`, nested ones joined by `/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// How often the node has been entered, from 1.
    pub visit: u32,
    /// Attempt within the visit, from 1.
    pub attempt: u32,
}

/// Which routing rule chose an edge (language reference, section 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
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
    /// What it came to.
    pub value: bool,
    /// The values it compared, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub operands: BTreeMap<String, Value>,
}

/// Which stream a piece of output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// Standard output of a command.
    Stdout,
    /// Standard error of a command.
    Stderr,
    /// What a model wrote.
    Model,
    /// What the engine has to say about the step.
    Note,
}

impl From<OutputStream> for Stream {
    fn from(stream: OutputStream) -> Self {
        match stream {
            OutputStream::Stdout => Self::Stdout,
            OutputStream::Stderr => Self::Stderr,
        }
    }
}
