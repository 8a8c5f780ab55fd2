//! What of a run is held: where it pauses by itself, why it is paused, and how far a step goes.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::control::{PausePoints, PauseReason};
use crate::frame::FrameId;

/// Where the run pauses, and whether it is paused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pausing {
    /// Where it pauses by itself.
    #[serde(skip_serializing_if = "PausePoints::is_empty")]
    pub points: PausePoints,
    /// The step under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<Stepping>,
    /// Why it is paused, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<Paused>,
}

/// A pause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paused {
    /// Why.
    pub reason: PauseReason,
    /// The frame that it paused at; none when a user asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<FrameId>,
    /// Since when, milliseconds since 1970.
    pub since: i64,
}

/// A step under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stepping {
    /// It ends where one of these frames goes to a node.
    pub(super) frames: BTreeSet<FrameId>,
    /// It ends where a frame inside of this one goes to a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) within: Option<FrameId>,
}

impl Pausing {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
