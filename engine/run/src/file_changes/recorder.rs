//! Snapshots around the visits of nodes that can change files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use attractor_exec::Redactor;
use attractor_machine::frame::Worktree;
use attractor_model::{NodeKind, NodeWork};
use attractor_snapshots::{Scope, Snapshot, SnapshotId, SnapshotStore};
use serde::{Deserialize, Serialize};

use super::snapshot_store;

/// The snapshots of an attempt, in its folder.
const FILE: &str = "snapshots.json";

/// Where a snapshot takes longer, commands are not recorded any more: a run of many short ones would only take
/// snapshots. Agents are always recorded.
const SLOW: Duration = Duration::from_millis(50);

/// The snapshots of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AttemptSnapshots {
    /// Before it.
    pub(crate) before: SnapshotId,
    /// After it; none while it runs, or when the engine was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<SnapshotId>,
    /// The folder of the branch they are of; none for the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) worktree: Option<Worktree>,
}

impl AttemptSnapshots {
    /// Those of the attempt in `stage_dir`; none where it changed nothing or was not recorded.
    pub(crate) fn load(stage_dir: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(stage_dir.join(FILE)).ok()?).ok()
    }

    /// What cannot be saved cannot be shown or reverted; the run continues.
    fn save(&self, stage_dir: &Path) {
        let json = serde_json::to_vec(self).unwrap_or_default();
        if let Err(error) = fs::write(stage_dir.join(FILE), json) {
            tracing::warn!(%error, stage = %stage_dir.display(), "the snapshots of a node are not recorded");
        }
    }
}

/// Takes the snapshots of a run. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    store: SnapshotStore,
    root: PathBuf,
    runs_dir: PathBuf,
    /// Finds secrets: contents with one are not stored.
    redactor: Arc<Redactor>,
    is_slow: Arc<AtomicBool>,
    worktree: Option<Worktree>,
}

impl Recorder {
    pub(crate) fn new(root: &Path, runs_dir: &Path, redactor: Arc<Redactor>) -> Self {
        Self {
            store: snapshot_store(runs_dir),
            root: root.to_owned(),
            runs_dir: runs_dir.to_owned(),
            redactor,
            is_slow: Arc::default(),
            worktree: None,
        }
    }

    /// The same for the folder of a branch, with a cache of its own.
    pub(crate) fn of_worktree(mut self, worktree: Worktree, cache: PathBuf) -> Self {
        self.store = self.store.caching_in(cache);
        self.worktree = Some(worktree);
        self
    }

    /// Where the snapshots are.
    pub(crate) const fn store(&self) -> &SnapshotStore {
        &self.store
    }

    /// Records the files as they are; none where that is not possible, and the log says why.
    pub(crate) fn take(&self) -> Option<Snapshot> {
        let begun = Instant::now();
        let taken = self.store.take(Scope {
            root: &self.root,
            runs_dir: &self.runs_dir,
            is_private: &|content| self.redactor.finds(content),
        });
        self.is_slow
            .store(begun.elapsed() > SLOW, Ordering::Relaxed);
        taken
            .inspect_err(|error| tracing::warn!(%error, "a snapshot cannot be taken"))
            .ok()
    }

    /// The recording of an attempt of a node of this kind; none for nodes that change no files.
    pub(crate) fn recording(&self, kind: NodeKind, stage_dir: &Path) -> Option<VisitRecording> {
        let is_agent = kind == NodeKind::Codergen;
        let is_command = kind.work() == NodeWork::Commands;
        let is_recorded = is_agent || is_command && !self.is_slow.load(Ordering::Relaxed);
        is_recorded.then(|| VisitRecording {
            recorder: self.clone(),
            stage_dir: stage_dir.to_owned(),
            is_kept_at_once: is_agent,
        })
    }
}

/// The recording of one attempt.
#[derive(Debug, Clone)]
pub(crate) struct VisitRecording {
    recorder: Recorder,
    stage_dir: PathBuf,
    is_kept_at_once: bool,
}

impl VisitRecording {
    /// That of a merge before the work of a node.
    pub(crate) fn of_merge(recorder: &Recorder, stage_dir: &Path) -> Self {
        Self {
            recorder: recorder.clone(),
            stage_dir: stage_dir.to_owned(),
            is_kept_at_once: true,
        }
    }

    /// Before the attempt. Blocks. That of an agent is kept at once: if the engine is killed, its work can be undone. What
    /// is kept already, of a merge before it or of a process that was killed, stays the beginning of the attempt.
    pub(crate) fn before(&self) -> Option<Snapshot> {
        let before = self.recorder.take()?;
        if self.is_kept_at_once && AttemptSnapshots::load(&self.stage_dir).is_none() {
            self.save(before.id.clone(), None);
        }
        Some(before)
    }

    fn save(&self, before: SnapshotId, after: Option<SnapshotId>) {
        let snapshots = AttemptSnapshots {
            before,
            after,
            worktree: self.recorder.worktree.clone(),
        };
        snapshots.save(&self.stage_dir);
    }

    /// After the attempt. Blocks. An attempt that changed nothing leaves nothing.
    pub(crate) fn after(&self, before: &Snapshot) {
        let Some(after) = self.recorder.take() else {
            return;
        };
        let first = AttemptSnapshots::load(&self.stage_dir).map(|kept| kept.before);
        let first = first.unwrap_or_else(|| before.id.clone());
        if after.id == first {
            // It was only kept for the case that the engine is killed.
            let _ = fs::remove_file(self.stage_dir.join(FILE));
            return;
        }
        self.save(first, Some(after.id.clone()));
    }
}
