//! Messages that wait for a prompt.

use serde::{Deserialize, Serialize};

use crate::control::SteeringMessage;
use crate::frame::FrameId;

/// A message that waits for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steering {
    /// Whose prompt.
    pub(crate) to: SteeringTarget,
    /// What it says.
    pub(crate) message: SteeringMessage,
}

/// Whose prompt a message waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SteeringTarget {
    /// That of a node, by [`Frame::key`].
    Node(String),
    /// The next one of a sub-pipeline.
    Frame(FrameId),
    /// The next one of a frame and what it calls; once the frame has ended, of the frame that waited for it. The frame
    /// is first, and the one that waits for all others last.
    Next(Vec<FrameId>),
}
