//! Why an approval cannot be stored.

use std::io;
use std::path::{Path, PathBuf};

/// An approval cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Could not save the trust decision to {}: {reason}", path.display())]
pub struct ApprovalError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl ApprovalError {
    pub(super) fn new(path: &Path, error: &io::Error) -> Self {
        Self {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }
}
