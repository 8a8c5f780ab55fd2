//! What happens in a run, in the words every reader shares.
//!
//! The journal, `--format events`, the editor and HTTP all carry these events and nothing else.
//! `seq` counts from 1 without holes. On the wire an event is one flat object:
//! `{"run":"01J…","seq":7,"time":"2026-01-02T03:04:05.678Z","type":"stage_completed","node":"build",…}`.
//! The graph-workflow names (`node_entered`, …) ride along as `workflow`.

mod agent_model_call;
mod agent_notice;
mod attempt;
mod facts;
mod forked_files;
mod kind;
mod location;
mod merged_files;
mod protocol;
mod status_report;
pub(crate) mod status_report_text;
mod stream;
mod transition;
mod workflow;

use serde::{Deserialize, Serialize};

pub use agent_model_call::AgentModelCall;
pub use agent_notice::AgentNotice;
pub use attempt::NodeAttempt;
pub use attractor_agent_events::{
    AgentPlan, AgentProgress, HookOutcome, HookReport, PlanStep, StepStatus, ToolCallEnd,
    ToolCallStart,
};
pub use forked_files::ForkedFiles;
pub use kind::EventKind;
pub use merged_files::{MergeConflict, MergedFile};
pub use protocol::Protocol;
pub use status_report::{OpenQuestion, RecentEvent, StatusReport, VisitedNode};
pub use stream::Stream;
pub use transition::{ClauseValue, Rule};
pub use workflow::Workflow;

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
    /// Whether all models are simulated or the whole run is dry; else, whether the answer that it is about is.
    #[serde(default, skip_serializing_if = "is_false")]
    pub simulated: bool,
    /// The name this event has in graph workflows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<Workflow>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

impl Event {
    /// Its name in graph workflows, else its own: `node_entered`, `stage_completed`.
    pub fn name(&self) -> String {
        let workflow = self.kind.workflow().map(serde_json::to_value);
        let name = match workflow {
            Some(Ok(serde_json::Value::String(name))) => Some(name),
            _ => self.kind.name(),
        };
        name.unwrap_or_default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
