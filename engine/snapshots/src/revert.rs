//! Undoing what happened between two snapshots, where nothing else has changed since.

use std::path::{Path, PathBuf};

use crate::changes::Change;
use crate::entry::FileKind;
use crate::error::SnapshotError;
use crate::files::{is_as, remove, write};
use crate::id::SnapshotId;
use crate::store::SnapshotStore;

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
enum RevertStep {
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
                steps.push(RevertStep::Nothing(change.path));
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
        steps.sort_by_key(|step| matches!(step, RevertStep::Restore(..)));
        let mut reverted = Reverted::default();
        for step in steps {
            match step {
                RevertStep::Nothing(path) => reverted.unchanged.push(path),
                RevertStep::Remove(path) => {
                    remove(root, &path)
                        .map_err(SnapshotError::io("cannot remove", &root.join(&path)))?;
                    reverted.removed.push(path);
                }
                RevertStep::Restore(path, kind, content) => {
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

    fn step(&self, change: &Change) -> Result<Option<RevertStep>, SnapshotError> {
        let path = change.path.clone();
        let Some(before) = &change.before else {
            return Ok(Some(RevertStep::Remove(path)));
        };
        let content = self.content(before)?;
        Ok(content.map(|content| RevertStep::Restore(path, before.kind, content)))
    }
}
