//! What a run remembers of a node, over all visits.

use serde::{Deserialize, Serialize};

use crate::outcome::Status;

/// What a run remembers of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeRecord {
    /// How often it has been entered. This names its attempts, so it never goes back.
    pub visits: u32,
    /// Visits before its sub-pipeline was called this time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub before: u32,
    /// Visits whose results do not count any more: those before a call or a `loop_restart`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forgotten: u32,
    /// How often it has asked a person.
    pub asked: u32,
    /// Its last result; none while it is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
}

impl NodeRecord {
    /// Visits of this call of its pipeline, which is what limits count.
    pub(crate) fn visits_here(&self) -> u32 {
        self.visits.saturating_sub(self.before)
    }

    /// Its result is forgotten.
    pub(crate) fn forget(&mut self) {
        self.status = None;
        self.forgotten = self.visits;
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
