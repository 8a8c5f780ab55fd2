//! Merging what branches changed into the folder they came from.

use std::path::Path;

use attractor_machine::event::{MergeConflict, MergedFile};
use attractor_machine::frame::Worktree;
use attractor_machine::question::FileChange;
use attractor_machine::transition::MergeReport;
use attractor_snapshots::{ChangeKind, MergeSource, Merged, Snapshot};

use super::Worktrees;
use crate::file_changes::{VisitRecording, shown};
use crate::store::worktree_record::WorktreeRecord;

/// Files that a report lists.
const MAX_FILES: usize = 200;

impl Worktrees {
    /// Merges the changes of branches. What the folder `into` had before is kept in `stage_dir`, as for any node that
    /// changes files. Blocks.
    pub(crate) fn merge(
        &self,
        into: Option<&Worktree>,
        branches: &[(String, Worktree)],
        stage_dir: &Path,
    ) -> MergeReport {
        match self.try_merge(into, branches, stage_dir) {
            Ok(merged) => report(merged),
            Err(error) => MergeReport {
                error: Some(error),
                ..MergeReport::default()
            },
        }
    }

    fn try_merge(
        &self,
        into: Option<&Worktree>,
        branches: &[(String, Worktree)],
        stage_dir: &Path,
    ) -> Result<Merged, String> {
        let mut sources = Vec::new();
        // Until the run names them, the store must not remove anything.
        let mut taken: Vec<Snapshot> = Vec::new();
        for (name, worktree) in branches {
            // A branch that did nothing has no folder.
            let Some(mut record) = WorktreeRecord::load(&self.layout, worktree) else {
                continue;
            };
            let folder = self.place(Some(worktree)).root;
            if folder.is_dir() {
                let now = self.recorder(Some(worktree)).take();
                let now = now.ok_or_else(|| format!("the files of `{name}` cannot be recorded"))?;
                record.after = Some(now.id.clone());
                record.save(&self.layout, worktree)?;
                taken.push(now);
            }
            let Some(after) = record.after else {
                return Err(format!(
                    "the folder of `{name}` is gone: {}",
                    folder.display()
                ));
            };
            sources.push(MergeSource {
                name: name.clone(),
                folder,
                before: record.before,
                after,
            });
        }
        let recorder = self.recorder(into);
        let recording = VisitRecording::of_merge(&recorder, stage_dir);
        let before = recording.before();
        let root = self.place(into).root;
        let merged = recorder.store().merge(&root, &sources);
        if let Some(before) = before {
            recording.after(&before);
        }
        drop(taken);
        merged.map_err(|error| error.to_string())
    }
}

fn report(merged: Merged) -> MergeReport {
    let more = merged.files.len().saturating_sub(MAX_FILES);
    let files = merged.files.into_iter().take(MAX_FILES);
    MergeReport {
        files: files
            .map(|file| MergedFile {
                path: shown(&file.path),
                change: match file.change {
                    ChangeKind::Added => FileChange::Added,
                    ChangeKind::Modified => FileChange::Modified,
                    ChangeKind::Deleted => FileChange::Deleted,
                },
                branches: file.sources,
            })
            .collect(),
        more_files: more as u64,
        conflicts: merged
            .conflicts
            .into_iter()
            .map(|conflict| MergeConflict {
                path: shown(&conflict.path),
                branches: conflict.sources,
                in_project: conflict.in_workspace,
                reason: conflict.reason,
            })
            .collect(),
        error: None,
    }
}
