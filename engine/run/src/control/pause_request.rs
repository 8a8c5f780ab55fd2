//! What a user asks of a run that is paused, or is to be paused.

use std::collections::BTreeMap;

use attractor_machine::control::{PausePoints, StepFrom};
use attractor_machine::frame::FrameId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a user asks of a run that is paused, or is to be paused. `by` says who, and from where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "pausing", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PauseRequest {
    /// Nothing new starts from now on; what runs ends its step.
    Pause {
        /// Who asks.
        by: String,
    },
    /// The run continues.
    Continue {
        /// How far; without it, to the next point.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<StepFrom>,
        /// Who asks.
        by: String,
    },
    /// Where the run pauses by itself, in place of what was set before.
    Points {
        /// Where.
        points: PausePoints,
        /// Who asks.
        by: String,
    },
    /// Changes a paused run.
    Override {
        /// The frame.
        frame: FrameId,
        /// Keys of its context with their new values.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        set: BTreeMap<String, Value>,
        /// The node that it continues with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<String>,
        /// Who asks.
        by: String,
    },
}
