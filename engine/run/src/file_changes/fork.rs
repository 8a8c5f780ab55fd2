//! The files of a forked run: those of the moment it begins at, and what is there now.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_exec::Redactor;
use attractor_machine::event::{EventKind, ForkedFiles, NodeAttempt};
use attractor_snapshots::{Snapshot, SnapshotError, SnapshotId};

use super::baseline::Baseline;
use super::recorder::{AttemptSnapshots, Recorder};
use crate::error::RunError;
use crate::launch::fork::ForkFiles;
use crate::project::files::project_root_of_folder;
use crate::store::{Layout, Record};

/// Files that a message names.
const SHOWN: usize = 5;

/// The files when a visit of a run began.
pub(crate) struct ForkWorkspace {
    moment: Option<SnapshotId>,
    visit: String,
    redactor: Arc<Redactor>,
}

/// What the new run works on.
pub(crate) struct PreparedWorkspace {
    /// Where it works.
    pub(crate) workdir: PathBuf,
    recorder: Recorder,
    root: PathBuf,
    /// The files as they are now.
    now: Option<Snapshot>,
    /// What they are to be.
    restored: Option<SnapshotId>,
    files: ForkedFiles,
}

impl ForkWorkspace {
    /// The files when the visit `at` began, as far as the run has recorded them. `records` is its journal up to there.
    pub(crate) fn find(
        layout: &Layout,
        records: &[Record],
        at: &NodeAttempt,
        redactor: Arc<Redactor>,
    ) -> Self {
        let baseline = Baseline::load(&layout.baseline());
        let own = AttemptSnapshots::load(&layout.stage(at)).map(|snapshots| snapshots.before);
        let earlier = || {
            let mut ended = records
                .iter()
                .rev()
                .filter_map(|record| match &record.event.kind {
                    EventKind::StageCompleted { at, .. } | EventKind::StageFailed { at, .. } => {
                        Some(at)
                    }
                    _ => None,
                });
            ended.find_map(|at| {
                let snapshots = AttemptSnapshots::load(&layout.stage(at))?;
                snapshots.after.filter(|_| snapshots.worktree.is_none())
            })
        };
        let moment = own.or_else(earlier);
        Self {
            moment: moment.or_else(|| Some(baseline?.snapshot)),
            visit: format!("{}@{}", at.node, at.visit),
            redactor,
        }
    }

    /// Compares the files with those of now, and decides what a run works on that would work in `workdir`. A new folder
    /// is written here.
    pub(crate) fn prepare(
        self,
        files: &ForkFiles,
        workdir: &Path,
        runs_dir: &Path,
    ) -> Result<PreparedWorkspace, RunError> {
        let root = project_root_of_folder(workdir);
        let recorder = Recorder::new(&root, runs_dir, Arc::clone(&self.redactor));
        let mut prepared = PreparedWorkspace {
            recorder,
            root,
            workdir: workdir.to_owned(),
            now: None,
            restored: None,
            files: ForkedFiles::NotRecorded,
        };
        let Some(moment) = self.moment else {
            return match files {
                ForkFiles::Refuse | ForkFiles::Keep => Ok(prepared),
                ForkFiles::Restore | ForkFiles::Into(_) => {
                    Err(RunError::FilesNotRecorded { visit: self.visit })
                }
            };
        };
        if let ForkFiles::Into(folder) = files {
            let folder = new_folder(folder)?;
            write_into(&prepared.recorder, &moment, &folder)?;
            let absolute = std::path::absolute(workdir).unwrap_or_default();
            let inner = absolute.strip_prefix(&prepared.root);
            prepared.workdir = folder.join(inner.unwrap_or(Path::new("")));
            prepared.files = ForkedFiles::Folder(folder.display().to_string());
            return Ok(prepared);
        }
        let now = prepared.recorder.take();
        let now = now.ok_or_else(|| RunError::FilesNotRecorded {
            visit: self.visit.clone(),
        })?;
        let changes = prepared.recorder.store().changes(&moment, &now.id)?;
        prepared.files = match files {
            _ if changes.is_empty() => ForkedFiles::Unchanged,
            ForkFiles::Keep => ForkedFiles::Kept,
            ForkFiles::Restore => {
                prepared.restored = Some(moment);
                ForkedFiles::Restored
            }
            ForkFiles::Refuse | ForkFiles::Into(_) => {
                let count = changes.len();
                let shown = changes.into_iter().take(SHOWN).map(|change| change.path);
                return Err(RunError::FilesDiffer {
                    visit: self.visit,
                    files: shown.collect(),
                    more: count.saturating_sub(SHOWN),
                });
            }
        };
        prepared.now = Some(now);
        Ok(prepared)
    }
}

impl PreparedWorkspace {
    /// The files before the run changes any, those it restores included.
    pub(crate) fn keep_baseline(&self, layout: &Layout) -> Result<(), RunError> {
        match &self.now {
            Some(now) => Baseline::save(now, &layout.baseline()),
            None => Ok(()),
        }
    }

    /// Gives the files the content they are to have.
    pub(crate) fn restore(&self) -> Result<ForkedFiles, RunError> {
        if let (Some(now), Some(moment)) = (&self.now, &self.restored) {
            let store = self.recorder.store();
            store.revert(&self.root, moment, &now.id, |_| true)?;
        }
        Ok(self.files.clone())
    }

    /// The run was not started: the files get back what they had.
    pub(crate) fn undo(&self) {
        if let (Some(now), Some(moment)) = (&self.now, &self.restored) {
            let store = self.recorder.store();
            if let Err(error) = store.revert(&self.root, &now.id, moment, |_| true) {
                tracing::warn!(%error, "the files are those of an earlier moment");
            }
        }
    }
}

/// Makes a folder that is not there yet, as the root of a project.
fn new_folder(folder: &Path) -> Result<PathBuf, RunError> {
    let folder = std::path::absolute(folder).map_err(RunError::io("cannot make", folder))?;
    let is_free = fs::read_dir(&folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_free || folder.is_file() {
        return Err(RunError::FolderInUse { folder });
    }
    let marker = folder.join(".attractor");
    fs::create_dir_all(&marker).map_err(RunError::io("cannot make", &marker))?;
    Ok(folder)
}

fn write_into(recorder: &Recorder, moment: &SnapshotId, folder: &Path) -> Result<(), RunError> {
    let not_stored = recorder.store().restore(moment, folder)?;
    if not_stored.is_empty() {
        return Ok(());
    }
    // It was empty before.
    let _ = fs::remove_dir_all(folder);
    Err(SnapshotError::NotStored(not_stored).into())
}
