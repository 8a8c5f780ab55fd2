//! What a snapshot records of one file.

use std::fs::Metadata;
use std::time::UNIX_EPOCH;

use attractor_exec::sha256;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
// Exhaustive: these are the files that a snapshot holds.
pub enum FileKind {
    /// A regular file.
    File,
    /// A regular file that can be executed.
    Executable,
    /// A symbolic link; its content is where it leads.
    Link,
}

impl FileKind {
    pub(crate) const ALL: [Self; 3] = [Self::File, Self::Executable, Self::Link];

    /// In a tree.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::File => 'f',
            Self::Executable => 'x',
            Self::Link => 'l',
        }
    }

    /// What a file is; none for a folder, a FIFO and their like.
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        if metadata.is_symlink() {
            Some(Self::Link)
        } else if !metadata.is_file() {
            None
        } else if is_executable(metadata) {
            Some(Self::Executable)
        } else {
            Some(Self::File)
        }
    }
}

fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

/// One file of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: FileKind,
    /// In bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: u64,
    /// The checksum of its content; none where it was not read.
    pub checksum: Option<String>,
}

impl Entry {
    /// Whether it has the same content and kind, as far as that is recorded.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let content = match (&self.checksum, &other.checksum) {
            (Some(one), Some(two)) => one == two,
            _ => self.size == other.size && self.modified == other.modified,
        };
        content && self.kind == other.kind
    }

    /// Whether it is of this kind and has this content.
    pub(crate) fn has(&self, kind: FileKind, content: &[u8]) -> bool {
        let is_as_large = self.size == content.len() as u64;
        let checksum = || {
            self.checksum
                .as_ref()
                .is_none_or(|one| *one == sha256(content))
        };
        self.kind == kind && is_as_large && checksum()
    }
}

/// When a file was modified, in nanoseconds since 1970.
pub(crate) fn modified(metadata: &Metadata) -> u64 {
    let time = metadata.modified().ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    })
}
