//! Undoing what happened between two snapshots, where nothing else has changed since.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attractor_exec::{is_beneath, sha256};

use crate::capture::content;
use crate::changes::Change;
use crate::entry::{Entry, FileKind};
use crate::error::SnapshotError;
use crate::id::SnapshotId;
use crate::store::SnapshotStore;
use crate::tree::name_of;

/// What was reverted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reverted {
    /// Files that have their former content again.
    pub restored: Vec<PathBuf>,
    /// Files that are removed, because they were added.
    pub removed: Vec<PathBuf>,
    /// Files that had their former content already.
    pub unchanged: Vec<PathBuf>,
}

/// What is to be done with one file.
enum Step {
    Restore(PathBuf, FileKind, Vec<u8>),
    Remove(PathBuf),
    Nothing(PathBuf),
}

impl SnapshotStore {
    /// Gives the files that differ in `after` the content of `before`, those that `only` accepts. All or nothing: where a
    /// file is neither as it was `before` nor as it was `after`, or its former content is not stored, none is changed.
    ///
    /// # Errors
    /// Files changed since, former contents are not stored, or a file cannot be written.
    pub fn revert(
        &self,
        root: &Path,
        before: &SnapshotId,
        after: &SnapshotId,
        only: impl Fn(&Path) -> bool,
    ) -> Result<Reverted, SnapshotError> {
        let mut steps = Vec::new();
        let (mut since, mut not_stored) = (Vec::new(), Vec::new());
        let changes = self.changes(before, after)?;
        for change in changes.into_iter().filter(|change| only(&change.path)) {
            if is_as(root, &change.path, change.before.as_ref()) {
                steps.push(Step::Nothing(change.path));
            } else if !is_as(root, &change.path, change.after.as_ref()) {
                since.push(change.path);
            } else {
                match self.step(&change)? {
                    Some(step) => steps.push(step),
                    None => not_stored.push(change.path),
                }
            }
        }
        if !since.is_empty() {
            return Err(SnapshotError::ChangedSince(since));
        }
        if !not_stored.is_empty() {
            return Err(SnapshotError::NotStored(not_stored));
        }
        // Where a folder takes the place of a file, or the other way round, what is there goes first.
        steps.sort_by_key(|step| matches!(step, Step::Restore(..)));
        let mut reverted = Reverted::default();
        for step in steps {
            match step {
                Step::Nothing(path) => reverted.unchanged.push(path),
                Step::Remove(path) => {
                    remove(root, &path)
                        .map_err(SnapshotError::io("cannot remove", &root.join(&path)))?;
                    reverted.removed.push(path);
                }
                Step::Restore(path, kind, content) => {
                    write(root, &path, kind, &content)
                        .map_err(SnapshotError::io("cannot write", &root.join(&path)))?;
                    reverted.restored.push(path);
                }
            }
        }
        Ok(reverted)
    }

    /// Writes the files of a snapshot into a folder, and gives those whose content is not stored.
    ///
    /// # Errors
    /// The snapshot is not in the store, or a file cannot be written.
    pub fn restore(&self, id: &SnapshotId, folder: &Path) -> Result<Vec<PathBuf>, SnapshotError> {
        let mut not_stored = Vec::new();
        for (path, entry) in self.files(id)? {
            match self.content(&entry)? {
                Some(content) => write(folder, &path, entry.kind, &content)
                    .map_err(SnapshotError::io("cannot write", &folder.join(&path)))?,
                None => not_stored.push(path),
            }
        }
        Ok(not_stored)
    }

    fn step(&self, change: &Change) -> Result<Option<Step>, SnapshotError> {
        let path = change.path.clone();
        let Some(before) = &change.before else {
            return Ok(Some(Step::Remove(path)));
        };
        let content = self.content(before)?;
        Ok(content.map(|content| Step::Restore(path, before.kind, content)))
    }
}

/// Whether a file is as an entry says; without one, whether it is not there.
fn is_as(root: &Path, path: &Path, entry: Option<&Entry>) -> bool {
    let metadata = fs::symlink_metadata(root.join(path)).ok();
    let now = metadata.and_then(|metadata| Some((FileKind::of(&metadata)?, metadata)));
    match (now, entry) {
        (None, None) => true,
        (Some((kind, metadata)), Some(entry)) if kind == entry.kind => match &entry.checksum {
            Some(checksum) if kind == FileKind::Link || metadata.len() == entry.size => {
                content(root, path, kind, entry.size)
                    .is_ok_and(|content| sha256(content) == *checksum)
            }
            Some(_) => false,
            None => {
                metadata.len() == entry.size && crate::entry::modified(&metadata) == entry.modified
            }
        },
        _ => false,
    }
}

/// Removes a file, and the folders that are empty without it.
fn remove(root: &Path, path: &Path) -> io::Result<()> {
    let full = beneath(root, path)?;
    fs::remove_file(&full)?;
    let folders = path.ancestors().skip(1);
    for folder in folders.filter(|folder| !folder.as_os_str().is_empty()) {
        if fs::remove_dir(root.join(folder)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Writes a file in one step; its other permissions stay.
fn write(root: &Path, path: &Path, kind: FileKind, content: &[u8]) -> io::Result<()> {
    let full = beneath(root, path)?;
    if let Some(folder) = full.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = full.file_name().unwrap_or_default().to_owned();
    name.push(format!(".attractor-{}", std::process::id()));
    let temporary = full.with_file_name(name);
    let written = if kind == FileKind::Link {
        link(&name_of(content), &temporary)
    } else {
        write_file(&temporary, &full, kind, content)
    };
    let done = written.and_then(|()| fs::rename(&temporary, &full));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

fn write_file(temporary: &Path, full: &Path, kind: FileKind, content: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(temporary)?;
    file.write_all(content)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let known = fs::symlink_metadata(full)
            .ok()
            .filter(fs::Metadata::is_file);
        let mode = known.map_or(0o644, |metadata| metadata.permissions().mode() & 0o777);
        let mode = if kind == FileKind::Executable {
            mode | ((mode & 0o444) >> 2)
        } else {
            mode & !0o111
        };
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (full, kind);
    file.sync_all()
}

#[cfg(unix)]
fn link(target: &std::ffi::OsStr, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &std::ffi::OsStr, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// The full path of a file. The folders of it that exist are beneath the root, also after links are followed.
fn beneath(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let full = root.join(path);
    let mut folders = full.ancestors().skip(1);
    let existing = folders.find(|folder| fs::symlink_metadata(folder).is_ok());
    if existing.is_some_and(|folder| is_beneath(root, folder)) {
        Ok(full)
    } else {
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "its folder is a link out of the workspace",
        ))
    }
}
