//! Files beneath a root folder: a path that leads out of it is refused, by `..`, by an absolute path, through a
//! symbolic link or `/proc`.
//!
//! On Linux the kernel resolves the path beneath the root in one step (`openat2` with `RESOLVE_BENEATH`), so that
//! nothing can be swapped between the check and the read.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

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
#[cfg(target_os = "linux")]
pub fn open_beneath(root: &Path, below: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};
    use rustix::io::Errno;

    // A FIFO without a writer must not hold the reader up.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let directory = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root_handle = open(root, directory, Mode::empty())?;
    let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match openat2(&root_handle, below, flags, Mode::empty(), beneath) {
        Ok(handle) => Ok(File::from(handle)),
        // A kernel or a sandbox without `openat2`.
        Err(Errno::NOSYS | Errno::PERM) => open_checked(root, below),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn open_beneath(root: &Path, below: &Path) -> io::Result<File> {
    open_checked(root, below)
}

/// Checks the real path, then opens it.
fn open_checked(root: &Path, below: &Path) -> io::Result<File> {
    let real = fs::canonicalize(root.join(below))?;
    if !real.starts_with(fs::canonicalize(root)?) {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    File::open(real)
}

#[cfg(all(test, unix))]
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
        for open in [open_beneath, open_checked] {
            assert!(open(&root, Path::new("in")).is_ok());
            assert!(open(&root, Path::new("out")).is_err());
            assert!(open(&root, Path::new("../outside.txt")).is_err());
        }
    }
}
