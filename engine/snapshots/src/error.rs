//! What can go wrong with snapshots.

use std::io;
use std::path::{Path, PathBuf};

/// Why a snapshot cannot be taken, read or reverted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A file cannot be read or written.
    #[error("{what} {path}: {source}")]
    Io {
        /// What was tried: `cannot read`, `cannot write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An object of the store is missing.
    #[error("the content {0} is not in the store of snapshots; pruning runs may have removed it")]
    Missing(String),
    /// An object of the store is not what its name says.
    #[error("the stored content {0} is damaged; it does not match its checksum")]
    Damaged(String),
    /// A folder of the store is a symbolic link.
    #[error("`{}` is a symbolic link, where attractor keeps files of its own; remove the link", .0.display())]
    Link(PathBuf),
    /// Files changed since; nothing was reverted.
    #[error("nothing was reverted, because these files have changed since: {}; undo those changes first, or restore the files by hand", listed(.0))]
    ChangedSince(Vec<PathBuf>),
    /// The former content of files was not stored; nothing was reverted.
    #[error("nothing was reverted, because the former content of these files is not stored (too large, or too many files): {}", listed(.0))]
    NotStored(Vec<PathBuf>),
}

impl SnapshotError {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { what, path, source }
    }
}

/// Paths that a message lists.
const LISTED: usize = 10;

fn listed(paths: &[PathBuf]) -> String {
    let shown = paths.iter().take(LISTED);
    let mut names: Vec<String> = shown.map(|path| format!("`{}`", path.display())).collect();
    if let Some(more) = paths.len().checked_sub(LISTED).filter(|more| *more > 0) {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}
