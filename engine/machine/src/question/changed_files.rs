//! The files of the project that a run has changed, as a human gate shows them.

use serde::{Deserialize, Serialize};

use crate::question::EvidenceFile;

/// What a run has changed so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedFiles {
    /// The first of them, by path.
    pub files: Vec<EvidenceFile>,
    /// How many there are beyond those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
