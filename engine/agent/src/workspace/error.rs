//! Why a file cannot be read or changed, worded for the model.

use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::ResolveError;

use super::snapshot::MAX_FILE;

/// Why a file cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It is outside the workspace.
    #[error("`{}` is outside the working folder {}; use a path inside it", path.display(), root.display())]
    Outside {
        /// The path.
        path: PathBuf,
        /// The workspace.
        root: PathBuf,
    },
    /// It is write-protected.
    #[error("`{}` is write-protected: tools do not change files in `.git` and `.attractor`", .0.display())]
    Protected(PathBuf),
    /// It does not exist.
    #[error("file not found: `{}`{}", path.display(), suggestion(similar.as_deref()))]
    NotFound {
        /// The path.
        path: PathBuf,
        /// A path that is like it.
        similar: Option<PathBuf>,
    },
    /// It is a folder.
    #[error("`{}` is a folder, not a file", name(.0))]
    Directory(PathBuf),
    /// It is not a folder.
    #[error("`{}` is not a folder", .0.display())]
    NotDirectory(PathBuf),
    /// It is too large to be read as a whole.
    #[error("`{}` is larger than {} MB; use the shell for it", .0.display(), MAX_FILE >> 20)]
    TooLarge(PathBuf),
    /// Somebody else changed it.
    #[error("`{}` was modified concurrently; nothing was written; read it again and retry", .0.display())]
    Changed(PathBuf),
    /// Its path cannot be followed.
    #[error("cannot use `{}`: {reason}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system refuses it.
    #[error("cannot {action} `{}`: {error}", path.display())]
    Io {
        /// `read`, `write`, `remove`, `list`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl FileError {
    pub(super) fn of_path(path: &Path, root: &Path, error: ResolveError) -> Self {
        let path = path.to_owned();
        match error {
            ResolveError::Outside => Self::Outside {
                path,
                root: root.to_owned(),
            },
            error => Self::Path {
                path,
                reason: error.to_string(),
            },
        }
    }

    pub(super) fn of_action(
        action: &'static str,
        below: &Path,
        error: io::Error,
        similar: impl FnOnce() -> Option<PathBuf>,
    ) -> Self {
        let path = below.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound {
                path,
                similar: similar(),
            },
            io::ErrorKind::IsADirectory => Self::Directory(path),
            io::ErrorKind::NotADirectory if action == "list" => Self::NotDirectory(path),
            _ => Self::Io {
                action,
                path,
                error,
            },
        }
    }
}

/// The root has an empty path.
fn name(path: &Path) -> std::path::Display<'_> {
    if path.as_os_str().is_empty() {
        Path::new(".").display()
    } else {
        path.display()
    }
}

fn suggestion(similar: Option<&Path>) -> String {
    similar
        .map(|path| format!("; did you mean `{}`?", path.display()))
        .unwrap_or_default()
}
