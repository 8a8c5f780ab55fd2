//! A folder for temporary files that is removed with its owner, also with one that was killed.
//!
//! Its owner holds a lock on it. What no process has locked is removed when another process creates its first one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

use ulid::Ulid;

/// How the names of these folders begin.
const PREFIX: &str = "attractor-";

/// A younger folder may be one that is just being created.
const YOUNG: Duration = Duration::from_secs(10);

/// A folder that is removed when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    _lock: File,
}

impl TemporaryFolder {
    /// A new one, for its user's eyes only, in the folder for temporary files. `purpose` is a part of its name:
    /// `sandbox`.
    ///
    /// # Errors
    /// It cannot be created or locked.
    pub fn create(purpose: &str) -> io::Result<Self> {
        static CLEANED: Once = Once::new();
        let parent = std::env::temp_dir();
        CLEANED.call_once(|| remove_stale(&parent));
        let path = parent.join(format!("{PREFIX}{purpose}-{}", Ulid::generate()));
        fs::create_dir(&path)?;
        keep_private(&path)?;
        let lock = File::open(&path)?;
        lock.lock()?;
        Ok(Self { path, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes the folders whose owners were killed.
fn remove_stale(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| is_name(&entry.file_name().to_string_lossy()));
    for folder in folders.map(|entry| entry.path()) {
        if is_stale(&folder) {
            remove(&folder);
        }
    }
}

/// Whether a folder has a name as these have: `attractor-sandbox-ULID`.
fn is_name(name: &str) -> bool {
    let parts = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.rsplit_once('-'));
    parts.is_some_and(|(_, id)| Ulid::from_string(id).is_ok())
}

fn is_stale(folder: &Path) -> bool {
    let is_old = || {
        let changed = fs::symlink_metadata(folder)
            .ok()
            .filter(fs::Metadata::is_dir)?;
        Some(changed.modified().ok()?.elapsed().ok()? > YOUNG)
    };
    let is_unlocked = || File::open(folder).is_ok_and(|folder| folder.try_lock().is_ok());
    is_old().unwrap_or_default() && is_unlocked()
}

/// Removes a folder, also where a command has made parts of it read-only. What cannot be removed stays in the folder
/// for temporary files.
fn remove(folder: &Path) {
    if fs::remove_dir_all(folder).is_err() {
        open_folders(folder);
        let _ = fs::remove_dir_all(folder);
    }
}

/// Makes all folders below one writable. Links are not followed.
fn open_folders(folder: &Path) {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        // What belongs to another user stays.
        let _ = keep_private(&folder);
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        open.extend(folders.map(|entry| entry.path()));
    }
}

fn keep_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use std::fs::FileTimes;
    use std::os::unix::fs::PermissionsExt;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn a_folder_is_removed_with_its_owner_or_by_the_next_one() {
        let owned = TemporaryFolder::create("sandbox").unwrap();
        let path = owned.path().to_owned();
        fs::create_dir(path.join("cache")).unwrap();
        fs::write(path.join("cache/file"), "").unwrap();
        fs::set_permissions(path.join("cache"), fs::Permissions::from_mode(0o500)).unwrap();
        assert!(!is_stale(&path));
        drop(owned);
        assert!(!path.exists());

        let parent = tempfile::tempdir().unwrap();
        let old = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
        let create = |name: &str| {
            let folder = parent.path().join(format!("{name}-{}", Ulid::generate()));
            fs::create_dir(&folder).unwrap();
            File::open(&folder).unwrap().set_times(old).unwrap();
            folder
        };
        let stale = create("attractor-sandbox");
        let used = create("attractor-control");
        let other = create("other-sandbox");
        let lock = File::open(&used).unwrap();
        lock.lock().unwrap();
        remove_stale(parent.path());
        assert_eq!(
            (stale.exists(), used.exists(), other.exists()),
            (false, true, true)
        );
    }
}
