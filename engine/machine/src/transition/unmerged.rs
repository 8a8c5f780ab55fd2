//! What branches changed in folders of their own, until it is merged into the files of the frame that split.

use serde::{Deserialize, Serialize};

use crate::event::{MergeConflict, MergedFile};
use crate::frame::Worktree;
use crate::outcome::Outcome;

/// Changes of branches that are to be merged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unmerged {
    /// Before this node does its work: the one that the branches meet at, else the parallel node.
    pub at: String,
    /// The branches that succeeded, in order: their names and folders.
    pub branches: Vec<(String, Worktree)>,
    /// Folders of branches that were stopped, because the others decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Worktree>,
    /// The outcome of the parallel node, where its branches meet nowhere and it is the one that merges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Box<Outcome>>,
}

/// What became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeReport {
    /// The first of the changed files, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<MergedFile>,
    /// How many there are beyond those.
    #[serde(default)]
    pub more_files: u64,
    /// Files that cannot be merged; none is then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<MergeConflict>,
    /// Why the files cannot be read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
