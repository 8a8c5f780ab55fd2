//! A change of a file.

use std::path::PathBuf;

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file, relative to the root.
    pub path: PathBuf,
    /// Its content before; none for a new file.
    pub before: Option<Vec<u8>>,
    /// Its permissions before; none for a new file.
    pub mode: Option<u32>,
    /// Its content after; none for a removed file.
    pub after: Option<Vec<u8>>,
}
