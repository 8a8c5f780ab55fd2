//! What became of the files that branches changed in folders of their own.

use attractor_text_diff::ConflictReason;
use serde::{Deserialize, Serialize};

use crate::question::FileChange;

/// A file that branches changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct MergedFile {
    /// The path from the root of the project, with `/` on every system.
    pub path: String,
    /// What happened to it.
    pub change: FileChange,
    /// The branches that changed it.
    pub branches: Vec<String>,
}

/// A file that cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct MergeConflict {
    /// The path from the root of the project, with `/` on every system.
    pub path: String,
    /// The branches that changed it.
    pub branches: Vec<String>,
    /// Whether it was changed in the project as well, since the branches began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_project: bool,
    /// Why: `same_lines`, `added_twice`, `deleted_and_changed`, `not_text` or `file_and_folder`.
    #[cfg_attr(test, schemars(with = "String"))]
    pub reason: ConflictReason,
}
