//! The folder a session works in.

use std::io;
use std::path::{Path, PathBuf};

/// The folder a session works in. All paths of tools are resolved beneath it.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Opens a folder.
    ///
    /// # Errors
    /// It does not exist or is not a folder.
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self { root })
    }

    /// Its absolute path.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// A change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The file, relative to the root.
    pub path: PathBuf,
    /// Its content before; none for a new file.
    pub before: Option<Vec<u8>>,
    /// Its content after; none for a removed file.
    pub after: Option<Vec<u8>>,
}
