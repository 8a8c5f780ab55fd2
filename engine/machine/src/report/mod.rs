//! What a finished run says about itself: the shape of `attractor run --format json`.

#[cfg(test)]
pub(crate) mod schemas;

use std::collections::BTreeMap;

use attractor_model::{Reality, RunState};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outcome::{Failure, FailureClass, Usage};

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunReport {
    /// The run's id; empty when none started.
    pub run: String,
    /// The pipeline's name.
    pub pipeline: String,
    /// How it ended.
    #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::run_state"))]
    pub status: RunState,
    /// Nodes executed, repetitions counted.
    pub steps: u64,
    /// Every node that was executed, with any result, in order; branches of a parallel node as they finished.
    pub path: Vec<String>,
    /// The nodes of the path that completed: in success or partial success.
    pub completed_nodes: Vec<String>,
    /// The context at the end, secrets removed.
    pub context: BTreeMap<String, Value>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Why it did not start: diagnostics as `attractor validate --format json` writes them, each with the `path` of its file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<serde_json::Map<String, Value>>,
    /// Active time, milliseconds; pauses between a crash and `resume` do not count.
    pub duration_ms: u64,
    /// What it cost.
    pub usage: Usage,
    /// How real it was; absent when nothing ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "crate::report::schemas::reality"))]
    pub reality: Option<Reality>,
    /// Whether any model was simulated or the run was dry: whether `reality` is there and not `real`.
    #[serde(default)]
    pub simulated: bool,
}

impl RunReport {
    /// The report of a pipeline that could not be started.
    pub fn invalid(pipeline: String, diagnostics: Vec<serde_json::Map<String, Value>>) -> Self {
        Self {
            run: String::new(),
            pipeline,
            status: RunState::Invalid,
            steps: 0,
            path: Vec::new(),
            completed_nodes: Vec::new(),
            context: BTreeMap::new(),
            failure: None,
            diagnostics,
            duration_ms: 0,
            usage: Usage::default(),
            reality: None,
            simulated: false,
        }
    }

    /// Whether a resumed run can come further: it would meet a limit of the run again at once.
    pub fn can_resume(&self) -> bool {
        let met_limit = |failure: &Failure| {
            failure.class == FailureClass::BudgetExhausted && failure.node.is_none()
        };
        self.status.is_resumable() && !self.failure.as_ref().is_some_and(met_limit)
    }

    /// The exit code of the command line: 0, 1, 3 escalated, 4 a question could not be asked, 130 cancelled
    /// or interrupted.
    pub fn exit_code(&self) -> u8 {
        match self.status {
            RunState::Success => 0,
            RunState::Fail if self.failed_unanswered() => 4,
            // A run that is not over has not succeeded.
            RunState::Fail
            | RunState::Invalid
            | RunState::Running
            | RunState::Waiting
            | RunState::Paused => 1,
            RunState::Escalated => 3,
            RunState::Cancelled | RunState::Interrupted => 130,
        }
    }

    fn failed_unanswered(&self) -> bool {
        self.failure
            .as_ref()
            .is_some_and(|failure| failure.class == FailureClass::Unanswered)
    }
}
