//! Where a protected path is: in the workspace, which is held open, or in a folder of the repository outside of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::RootDirectory;

/// A path that no link leads out of.
#[derive(Debug)]
pub(super) struct ProtectedPlace {
    directory: Arc<RootDirectory>,
    below: PathBuf,
}

impl ProtectedPlace {
    /// A path outside of the workspace begins at the nearest folder above it that exists.
    ///
    /// # Errors
    /// No folder above it can be opened.
    pub(super) fn of(path: &Path, workspace: &Arc<RootDirectory>) -> io::Result<Self> {
        if let Ok(below) = path.strip_prefix(workspace.path()) {
            return Ok(Self {
                directory: Arc::clone(workspace),
                below: below.to_owned(),
            });
        }
        let folder = path.ancestors().skip(1).find(|folder| folder.is_dir());
        let folder = folder.ok_or(io::ErrorKind::NotFound)?;
        Ok(Self {
            directory: Arc::new(RootDirectory::open(folder)?),
            below: path.strip_prefix(folder).unwrap_or(path).to_owned(),
        })
    }

    /// Makes a file with this content and mode, in place of what is there.
    pub(super) fn put_file(&self, content: &[u8], mode: u32) -> io::Result<()> {
        self.clear()?;
        self.directory.replace(&self.below, content, Some(mode))
    }

    /// Makes a symbolic link, in place of what is there.
    pub(super) fn put_link(&self, target: &Path) -> io::Result<()> {
        self.clear()?;
        self.directory.create_link(&self.below, target)
    }

    /// Removes a file or a link.
    pub(super) fn remove_file(&self) -> io::Result<()> {
        self.directory.remove_file(&self.below)
    }

    /// Moves what is there to a folder, under its path.
    pub(super) fn move_aside(&self, aside: &Path) -> io::Result<()> {
        self.directory
            .move_out(&self.below, &aside.join(&self.below))
    }

    /// Moves what is there to another place.
    pub(super) fn rename(&self, target: &Self) -> io::Result<()> {
        self.directory
            .rename(&self.below, &target.directory, &target.below)
    }

    fn clear(&self) -> io::Result<()> {
        match self.directory.remove_all(&self.below) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = self.below.parent().unwrap_or(Path::new(""));
                self.directory.create_directories(folder)
            }
            cleared => cleared,
        }
    }
}
