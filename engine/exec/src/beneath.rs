//! Files beneath a root folder: a path that leads out of it is refused, by `..`, by an absolute path, through a
//! symbolic link or `/proc`.
//!
//! Nothing can be swapped between the check and the read: where the kernel resolves a path beneath a root in one step
//! (Linux), it does; elsewhere the real path is opened without following a link.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::platform::files;
use crate::root::{ResolveError, RootDirectory};

/// Whether `path` lies in `root` once symbolic links are followed. A path that does not exist is judged by
/// its text.
pub fn is_beneath(root: &Path, path: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| normalize(path));
    real(path).starts_with(real(root))
}

/// A path without `.` and `..`, worked out on its text alone.
pub fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// Opens `below` for reading, without leaving `root` on the way.
pub fn open_beneath(root: &Path, below: &Path) -> io::Result<File> {
    match files::open_beneath(root, below)? {
        Some(file) => Ok(file),
        None => open_resolved(root, below),
    }
}

/// Follows links to the real path beneath the root, and opens that without following any: what is swapped for a link
/// meanwhile is refused.
fn open_resolved(root: &Path, below: &Path) -> io::Result<File> {
    let root = RootDirectory::open(root)?;
    let real = root.resolve(below).map_err(|error| match error {
        ResolveError::Io(error) => error,
        _ => io::ErrorKind::PermissionDenied.into(),
    })?;
    root.open_file(&real)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_only_beneath_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("inside.txt"), "").unwrap();
        fs::write(folder.path().join("outside.txt"), "").unwrap();
        symlink("inside.txt", root.join("in")).unwrap();
        symlink("../outside.txt", root.join("out")).unwrap();
        for open in [open_beneath, open_resolved] {
            assert!(open(&root, Path::new("in")).is_ok());
            assert!(open(&root, Path::new("out")).is_err());
            assert!(open(&root, Path::new("../outside.txt")).is_err());
            assert!(open(&root, Path::new("missing.txt")).is_err());
        }
    }
}
