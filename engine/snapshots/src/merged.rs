//! What a merge is given, and what it reports.

use std::path::PathBuf;

use attractor_text_diff::ConflictReason;

use crate::changes::ChangeKind;
use crate::id::SnapshotId;

/// A copy of the workspace.
#[derive(Debug, Clone)]
pub struct MergeSource {
    /// What it is called in a report.
    pub name: String,
    /// Where it is.
    pub folder: PathBuf,
    /// Its files when it was made.
    pub before: SnapshotId,
    /// Its files now.
    pub after: SnapshotId,
}

/// What a merge did, or why it did nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    /// The files that the copies changed, by path. Where there are conflicts, none of them was written.
    pub files: Vec<MergedFile>,
    /// The files that cannot be merged, by path.
    pub conflicts: Vec<MergeConflict>,
}

/// A file that copies changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedFile {
    /// Relative to the root of the workspace.
    pub path: PathBuf,
    /// What happened to it.
    pub change: ChangeKind,
    /// The copies that changed it.
    pub sources: Vec<String>,
}

/// A file that cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeConflict {
    /// Relative to the root of the workspace.
    pub path: PathBuf,
    /// The copies that changed it.
    pub sources: Vec<String>,
    /// Whether it has changed in the workspace, too.
    pub in_workspace: bool,
    /// Why it cannot be merged.
    pub reason: ConflictReason,
}
