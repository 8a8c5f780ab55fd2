//! Why versions of a file do not merge.

use serde::{Deserialize, Serialize};

/// Why a file cannot be merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
// Exhaustive: each client words every reason.
pub enum ConflictReason {
    /// The same lines were changed differently.
    SameLines,
    /// It was added with different contents.
    AddedTwice,
    /// It was deleted by one and changed by another.
    DeletedAndChanged,
    /// It was changed differently, and is not a text of some size.
    NotText,
    /// A file and a folder would have the same name.
    FileAndFolder,
}
