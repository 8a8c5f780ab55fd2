//! The files of the project that a run has changed, as a human gate shows them.
//!
//! A [`Baseline`] records the files when the run starts: size, time of modification, and the text of small ones.
//! [`Baseline::changes`] compares them with what is there now. Files that `.gitignore` excludes, `.git`, what
//! Attractor keeps, and `.env` files are left out. Everything is bounded: the number of files, the text that is
//! kept, the changes that are shown. Texts are redacted on both sides before they are compared, so no secret gets
//! into the run's folder or into a question.

mod baseline;
mod diff;
mod walk;

pub(crate) use baseline::{Baseline, Folders};

use serde::{Deserialize, Serialize};

use crate::question::EvidenceFile;

/// What a run has changed so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangedFiles {
    /// The first of them, by path.
    pub(crate) files: Vec<EvidenceFile>,
    /// How many there are beyond those.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) more: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
