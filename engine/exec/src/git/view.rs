//! The common folder of a repository as Git sees it (`GIT_COMMON_DIR`): objects and branches are those of the
//! repository, by links; the configuration is a copy without what is not data, and there are no hooks.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::repository::Repository;
use crate::temporary_folder::TemporaryFolder;

/// What the repository keeps in its common folder and Git may see.
const SHARED: [&str; 8] = [
    "info",
    "logs",
    "objects",
    "packed-refs",
    "refs",
    "reftable",
    "shallow",
    "worktrees",
];

/// A view, removed in the end; links are removed, not followed.
#[derive(Debug)]
pub(super) struct View {
    folder: TemporaryFolder,
    /// The real path of the folder.
    path: PathBuf,
}

impl View {
    /// A view without a configuration.
    ///
    /// # Errors
    /// The folder for temporary files cannot be written.
    pub(super) fn new(repository: &Repository) -> io::Result<Self> {
        let folder = TemporaryFolder::create("git")?;
        let path = fs::canonicalize(folder.path())?;
        for name in SHARED {
            link(&repository.common_dir().join(name), &path.join(name))?;
        }
        Ok(Self { folder, path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn configure(&self, text: &str) -> io::Result<()> {
        fs::write(self.folder.path().join("config"), text)
    }
}

fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}
