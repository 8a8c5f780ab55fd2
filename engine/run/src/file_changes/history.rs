//! What a run on disk, or one of its nodes, changed in the files of the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use attractor_machine::event::NodeAttempt;
use attractor_snapshots::{Change, Reverted, SnapshotId, SnapshotStore};

use super::baseline::Baseline;
use super::recorder::AttemptSnapshots;
use super::snapshot_store;
use crate::error::RunError;
use crate::project::files::project_root_of_folder;
use crate::store::{Layout, Manifest, load};
use crate::worktrees::snapshots_of_worktrees;

/// What changed between two moments of a run.
#[derive(Debug, Clone)]
pub struct FileChanges {
    /// The root of the project, from which paths begin.
    pub root: PathBuf,
    /// The files that are different, by path.
    pub changes: Vec<Change>,
    /// The files before.
    pub before: SnapshotId,
    /// The files after.
    pub after: SnapshotId,
    /// The visit this is about; 0 for a whole run.
    pub visit: u32,
    /// Whether all files of the project were compared.
    pub complete: bool,
    store: SnapshotStore,
}

impl FileChanges {
    fn between(
        directory: &Path,
        (before, after): (SnapshotId, SnapshotId),
        visit: u32,
    ) -> Result<Self, RunError> {
        let layout = Layout::new(directory.to_owned());
        let store = snapshot_store(layout.runs_dir());
        Ok(Self {
            root: project_root_of_folder(&Manifest::load_in_project(&layout)?.workdir),
            changes: store.changes(&before, &after)?,
            complete: store.is_complete(&before)? && store.is_complete(&after)?,
            before,
            after,
            visit,
            store,
        })
    }

    /// The contents of a changed file before and after; none where there is none or it is not stored.
    ///
    /// # Errors
    /// The store cannot be read, or is damaged.
    pub fn contents(&self, change: &Change) -> Result<[Option<Vec<u8>>; 2], RunError> {
        let content = |entry: Option<&attractor_snapshots::Entry>| match entry {
            Some(entry) => self.store.content(entry),
            None => Ok(None),
        };
        Ok([
            content(change.before.as_ref())?,
            content(change.after.as_ref())?,
        ])
    }

    /// Gives the changed files their former content. Where one has changed since, nothing is done.
    ///
    /// # Errors
    /// Files have changed since, or their former content is not stored; the message names them.
    pub fn revert(&self) -> Result<Reverted, RunError> {
        let reverted = self
            .store
            .revert(&self.root, &self.before, &self.after, |_| true);
        Ok(reverted?)
    }
}

/// What the run in `directory` changed, up to the last visit that is recorded.
///
/// # Errors
/// It is not a run, or its files were not recorded.
pub fn changes_of_run(directory: &Path) -> Result<FileChanges, RunError> {
    let layout = Layout::new(directory.to_owned());
    let attempts = recorded(directory)?;
    let first = Baseline::load(&layout.baseline())
        .map(|baseline| baseline.snapshot)
        .or_else(|| {
            let mut attempts = attempts.iter().map(|(_, one)| one);
            let first = attempts.find(|one| one.worktree.is_none())?;
            Some(first.before.clone())
        })
        .ok_or_else(|| nothing_recorded(directory, None))?;
    // What branches do in folders of their own belongs to the run when it is merged.
    let in_project = attempts.iter().filter(|(_, one)| one.worktree.is_none());
    let last = in_project.rev().find_map(|(_, one)| one.after.clone());
    let last = last.unwrap_or_else(|| first.clone());
    FileChanges::between(directory, (first, last), 0)
}

/// What a node changed in a visit; by default in the last one that changed anything.
///
/// # Errors
/// It is not a run, the node was never visited so, or it changed nothing that is recorded.
pub fn changes_of_node(
    directory: &Path,
    node: &str,
    visit: Option<u32>,
) -> Result<FileChanges, RunError> {
    let all = recorded(directory)?;
    let of_node: Vec<_> = all
        .into_iter()
        .filter(|(at, _)| at.node == node && visit.is_none_or(|visit| at.visit == visit))
        .collect();
    let Some((last, _)) = of_node.last().cloned() else {
        return Err(nothing_recorded(directory, Some((node, visit))));
    };
    let mut visits = of_node.into_iter().filter(|(at, _)| {
        (at.visit, &at.graph, &at.branch) == (last.visit, &last.graph, &last.branch)
    });
    let first = visits.next().map(|(_, snapshots)| snapshots);
    let Some(first) = first else {
        return Err(nothing_recorded(directory, Some((node, visit))));
    };
    let end = visits
        .next_back()
        .map_or(first.after, |(_, last)| last.after);
    let end = end.ok_or_else(|| RunError::VisitIsOpen {
        node: node.to_owned(),
    })?;
    FileChanges::between(directory, (first.before, end), last.visit)
}

/// Whether an attempt that has ended changed files, as far as that is recorded. Reads one small file.
pub fn changed_files(directory: &Path, at: &NodeAttempt) -> bool {
    let stage = Layout::new(directory.to_owned()).stage(at);
    AttemptSnapshots::load(&stage).is_some_and(|snapshots| snapshots.after.is_some())
}

/// Every snapshot that the run in `directory` names.
pub(crate) fn snapshots_of_run(directory: &Path) -> BTreeSet<SnapshotId> {
    let mut found = BTreeSet::new();
    found.extend(
        Baseline::load(&Layout::new(directory.to_owned()).baseline()).map(|one| one.snapshot),
    );
    found.extend(snapshots_of_worktrees(directory));
    let worktrees = Layout::new(directory.to_owned()).worktrees();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        if let Some(snapshots) = AttemptSnapshots::load(&folder) {
            found.insert(snapshots.before);
            found.extend(snapshots.after);
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let inner = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let inner = inner.map(|entry| entry.path());
        folders.extend(inner.filter(|path| *path != worktrees));
    }
    found
}

/// The attempts with snapshots, in the order in which they started.
fn recorded(directory: &Path) -> Result<Vec<(NodeAttempt, AttemptSnapshots)>, RunError> {
    let layout = Layout::new(directory.to_owned());
    let mut attempts: Vec<NodeAttempt> = Vec::new();
    for record in load(&layout.journal())?.records {
        if let Some(at) = record.event.kind.node_attempt()
            && !attempts.contains(at)
        {
            attempts.push(at.clone());
        }
    }
    let found = attempts.into_iter().filter_map(|at| {
        let snapshots = AttemptSnapshots::load(&layout.stage(&at))?;
        Some((at, snapshots))
    });
    Ok(found.collect())
}

fn nothing_recorded(directory: &Path, node: Option<(&str, Option<u32>)>) -> RunError {
    let run = directory.file_name().unwrap_or_default();
    RunError::NoFileChanges {
        run: run.to_string_lossy().into_owned(),
        node: node.map(|(node, visit)| match visit {
            Some(visit) => format!("{node}@{visit}"),
            None => node.to_owned(),
        }),
    }
}
