//! What a file or folder is, whatever its name.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A file or folder on its file system. A link is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    pub(super) is_folder: bool,
}

impl Identity {
    /// Nothing for what does not exist.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        Some(Self {
            device: found.dev(),
            inode: found.ino(),
            is_folder: found.is_dir(),
        })
    }
}
