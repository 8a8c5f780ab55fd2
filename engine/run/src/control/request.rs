//! What another process asks of the owner of a run.

use crate::control::pause_request::PauseRequest;
use attractor_machine::question::Answer;
use serde::{Deserialize, Serialize};

/// What another process asks of the owner of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ControlRequest {
    /// Answers a question.
    Answer {
        /// The question's id.
        question: String,
        /// The answer.
        answer: Answer,
    },
    /// Sends a message to a node, for its next prompt.
    Steer {
        /// The node, `GRAPH/NODE` in a sub-pipeline.
        node: String,
        /// What it says.
        message: String,
        /// Who sends it.
        by: String,
    },
    /// Pauses the run, lets it continue, or changes it while it is paused.
    Pausing(PauseRequest),
    /// Stops the run.
    Cancel {
        /// Who does.
        by: String,
    },
}

/// A request with the run that it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Addressed {
    pub(crate) run: String,
    #[serde(flatten)]
    pub(crate) request: ControlRequest,
}
