//! The folder of a parallel branch that works in a copy of the project (`isolation=worktree`).

use serde::{Deserialize, Serialize};

use crate::frame::file_name::safe;

/// Names the folder of a branch within its run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Worktree {
    /// The parallel node and the step it began in: `split-17`.
    #[serde(rename = "fork")]
    pub split: String,
    /// The branch.
    pub branch: String,
}

impl Worktree {
    /// The folder that holds all of them, in the directory of the run.
    pub const FOLDER: &'static str = "branches";

    /// Its path from the directory of the run.
    pub fn path(&self) -> String {
        format!(
            "{}/{}/{}",
            Self::FOLDER,
            safe(&self.split),
            safe(&self.branch)
        )
    }
}
