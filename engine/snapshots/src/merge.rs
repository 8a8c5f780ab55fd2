//! Taking over what several copies of a workspace have changed.
//!
//! What the copies have made of a file is decided by them alone, and then compared with the workspace. So a merge that
//! was interrupted gives the same result when it is repeated. All or nothing: where there is a conflict, no file is
//! written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use attractor_text_diff::ConflictReason;

use crate::changes::{Change, ChangeKind};
use crate::combine::{Combined, Content, MergeStep};
use crate::error::SnapshotError;
use crate::files::{is_as, place, remove, write};
use crate::merged::{MergeConflict, MergeSource, Merged, MergedFile};
use crate::obstacles::obstacles;
use crate::store::SnapshotStore;

/// What is to become of a file, and how; else whether the workspace has changed it, and why it cannot be merged.
type Decision<'m> = Result<(ChangeKind, MergeStep<'m>), (bool, ConflictReason)>;

impl SnapshotStore {
    /// Writes into the workspace what the copies have changed since they were made.
    ///
    /// # Errors
    /// A snapshot or a file cannot be read, or a file cannot be written.
    pub fn merge(&self, root: &Path, sources: &[MergeSource]) -> Result<Merged, SnapshotError> {
        let mut by_path: BTreeMap<PathBuf, Vec<(&MergeSource, Change)>> = BTreeMap::new();
        for source in sources {
            for change in self.changes(&source.before, &source.after)? {
                let changes = by_path.entry(change.path.clone()).or_default();
                changes.push((source, change));
            }
        }
        let mut merged = Merged::default();
        let mut steps: BTreeMap<&Path, MergeStep<'_>> = BTreeMap::new();
        for (path, changes) in &by_path {
            let names = changes.iter().map(|(source, _)| source.name.clone());
            let names: Vec<String> = names.collect();
            match self.merge_step(root, path, changes)? {
                Ok((change, step)) => {
                    steps.insert(path, step);
                    merged.files.push(MergedFile {
                        path: path.clone(),
                        change,
                        sources: names,
                    });
                }
                Err((in_workspace, reason)) => merged.conflicts.push(MergeConflict {
                    path: path.clone(),
                    sources: names,
                    in_workspace,
                    reason,
                }),
            }
        }
        for path in obstacles(root, &steps) {
            let sources = by_path.get(&path).into_iter().flatten();
            merged.conflicts.push(MergeConflict {
                sources: sources.map(|(source, _)| source.name.clone()).collect(),
                path,
                in_workspace: false,
                reason: ConflictReason::FileAndFolder,
            });
        }
        merged
            .conflicts
            .sort_by(|left, right| left.path.cmp(&right.path));
        if merged.conflicts.is_empty() {
            apply(root, steps)?;
        }
        Ok(merged)
    }

    fn merge_step<'m>(
        &self,
        root: &Path,
        path: &Path,
        changes: &'m [(&MergeSource, Change)],
    ) -> Result<Decision<'m>, SnapshotError> {
        let combined = match self.combine(changes)? {
            Ok(combined) => combined,
            Err(reason) => return Ok(Err((false, reason))),
        };
        let Combined { before, content } = combined;
        let change = match (before, &content) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            _ => ChangeKind::Modified,
        };
        let is_there = match &content {
            None => is_as(root, path, None),
            Some(content) => content.is_at(root, path),
        };
        let step = if is_there {
            MergeStep::Nothing
        } else if is_as(root, path, before) {
            content.map_or(MergeStep::Remove, MergeStep::Write)
        } else {
            // Somebody else has changed it in the meantime.
            match self.with_workspace(root, path, before, content)? {
                Ok(content) => MergeStep::Write(content),
                Err(reason) => return Ok(Err((true, reason))),
            }
        };
        Ok(Ok((change, step)))
    }
}

/// Where a folder takes the place of a file, or the other way round, what is there goes first.
fn apply(root: &Path, steps: BTreeMap<&Path, MergeStep<'_>>) -> Result<(), SnapshotError> {
    let full = |path: &Path| root.join(path);
    for (path, step) in &steps {
        if matches!(step, MergeStep::Remove) {
            remove(root, path).map_err(SnapshotError::io("cannot remove", &full(path)))?;
        }
    }
    for (path, step) in steps {
        let MergeStep::Write(content) = step else {
            continue;
        };
        let written = match content {
            Content::Bytes(kind, bytes) => write(root, path, kind, &bytes),
            Content::File { from, .. } => place(root, path, &from),
        };
        written.map_err(SnapshotError::io("cannot write", &full(path)))?;
    }
    Ok(())
}
