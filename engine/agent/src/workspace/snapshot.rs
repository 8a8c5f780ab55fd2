//! A file as it was read.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// The largest file that is read as a whole.
pub const MAX_FILE: u64 = 64 * 1024 * 1024;

/// Which state of a file was read: any change of the file changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version {
    inode: u64,
    length: u64,
    mode: u32,
    /// How many names it has.
    links: u64,
    /// When its content last changed, in seconds and nanoseconds.
    modified: (i64, i64),
}

impl Version {
    /// The version of an open file.
    pub(super) fn of(file: &Metadata) -> Self {
        Self {
            inode: file.ino(),
            length: file.len(),
            mode: file.mode(),
            links: file.nlink(),
            modified: (file.mtime(), file.mtime_nsec()),
        }
    }

    /// The permissions of the file.
    pub fn mode(&self) -> u32 {
        self.mode
    }

    /// Whether the file has other names: hard links.
    pub(super) fn has_other_names(&self) -> bool {
        self.links > 1
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }
}

/// A file as it was read; empty for one that does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSnapshot {
    /// Its content.
    pub content: Option<Vec<u8>>,
    /// Its version.
    pub version: Option<Version>,
}
