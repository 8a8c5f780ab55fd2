//! What a finished run says about itself: the shape of `attractor run --format json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outcome::{Failure, FailureClass, Usage};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It reached a terminal node.
    Success,
    /// It could not continue.
    Fail,
    /// Someone stopped it.
    Cancelled,
    /// Its process was asked to end; it can be resumed.
    Interrupted,
    /// It handed the work to someone else.
    Escalated,
    /// It did not start: the pipeline has errors, or inputs are missing.
    Invalid,
}

impl RunStatus {
    /// Whether `resume` continues with such a run.
    pub(crate) fn is_resumable(self) -> bool {
        match self {
            Self::Fail | Self::Cancelled | Self::Interrupted => true,
            Self::Success | Self::Escalated | Self::Invalid => false,
        }
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunReport {
    /// The run's id; empty when none started.
    pub run: String,
    /// The pipeline's name.
    pub pipeline: String,
    /// How it ended.
    pub status: RunStatus,
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
    /// Whether models were simulated or the run was dry.
    #[serde(default)]
    pub simulated: bool,
}

impl RunReport {
    /// The report of a pipeline that could not be started.
    pub fn invalid(pipeline: String, diagnostics: Vec<serde_json::Map<String, Value>>) -> Self {
        Self {
            run: String::new(),
            pipeline,
            status: RunStatus::Invalid,
            steps: 0,
            path: Vec::new(),
            completed_nodes: Vec::new(),
            context: BTreeMap::new(),
            failure: None,
            diagnostics,
            duration_ms: 0,
            usage: Usage::default(),
            simulated: false,
        }
    }

    /// The exit code of the command line: 0, 1, 3 escalated, 4 a question could not be asked, 130 cancelled
    /// or interrupted.
    pub fn exit_code(&self) -> u8 {
        match self.status {
            RunStatus::Success => 0,
            RunStatus::Fail if self.failed_unanswered() => 4,
            RunStatus::Fail | RunStatus::Invalid => 1,
            RunStatus::Escalated => 3,
            RunStatus::Cancelled | RunStatus::Interrupted => 130,
        }
    }

    fn failed_unanswered(&self) -> bool {
        self.failure
            .as_ref()
            .is_some_and(|failure| failure.class == FailureClass::Unanswered)
    }
}
