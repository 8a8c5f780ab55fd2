//! A copy of a workspace as a snapshot has it, for work that is merged later.

use std::fs::{self, FileTimes};
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use crate::entry::{Entry, FileKind, modified};
use crate::error::SnapshotError;
use crate::files::{copy, link};
use crate::id::SnapshotId;
use crate::store::SnapshotStore;
use crate::tree::name_of;

impl SnapshotStore {
    /// Writes the files of a snapshot into a folder of its own, with their times of modification. What is in `workspace`
    /// as it was is copied from there, as is what is not stored; the rest comes from the store. Nothing is linked: the
    /// work in the copy may write in place. What is neither there nor stored is left out.
    ///
    /// # Errors
    /// The snapshot is not in the store, or a file cannot be written.
    pub fn check_out(
        &self,
        id: &SnapshotId,
        workspace: &Path,
        folder: &Path,
    ) -> Result<(), SnapshotError> {
        for (path, entry) in self.files(id)? {
            let (from, to) = (workspace.join(&path), folder.join(&path));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(SnapshotError::io("cannot create", parent))?;
            }
            let content = if looks_like(&from, &entry) {
                None
            } else {
                self.content(&entry)?
            };
            let written = match content {
                Some(content) if entry.kind == FileKind::Link => link(&name_of(&content), &to),
                Some(content) => new_file(&to, &entry, &content),
                None => copy(&from, &to),
            };
            written.map_err(SnapshotError::io("cannot write", &to))?;
        }
        Ok(())
    }
}

/// Whether a file has the kind, the size and the time of an entry.
fn looks_like(path: &Path, entry: &Entry) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| {
        FileKind::of(&metadata) == Some(entry.kind)
            && metadata.len() == entry.size
            && modified(&metadata) == entry.modified
    })
}

fn new_file(path: &Path, entry: &Entry, content: &[u8]) -> io::Result<()> {
    fs::write(path, content)?;
    let file = fs::File::options().write(true).open(path)?;
    let time = UNIX_EPOCH.checked_add(Duration::from_nanos(entry.modified));
    if let Some(time) = time {
        file.set_times(FileTimes::new().set_modified(time))?;
    }
    if entry.kind == FileKind::Executable {
        use std::os::unix::fs::PermissionsExt;
        let mode = file.metadata()?.permissions().mode();
        file.set_permissions(fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2)))?;
    }
    Ok(())
}
