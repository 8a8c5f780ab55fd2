//! What is known about the folders of branches, in files next to them. It stays when they are removed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attractor_machine::frame::Worktree;
use attractor_snapshots::SnapshotId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::store::Layout;

/// The files that all branches of a split begin with.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Base {
    pub(crate) snapshot: SnapshotId,
}

/// The files of one branch. While there is no record, its folder is not complete.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorktreeRecord {
    /// Before its first node.
    pub(crate) before: SnapshotId,
    /// When they were merged last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<SnapshotId>,
}

impl Base {
    pub(crate) fn load(path: &Path) -> Option<Self> {
        load(path)
    }

    pub(crate) fn save(&self, path: &Path) -> Result<(), String> {
        save(path, self)
    }
}

impl WorktreeRecord {
    pub(crate) fn load(layout: &Layout, worktree: &Worktree) -> Option<Self> {
        load(&layout.of_worktree(worktree, "json"))
    }

    pub(crate) fn save(&self, layout: &Layout, worktree: &Worktree) -> Result<(), String> {
        save(&layout.of_worktree(worktree, "json"), self)
    }
}

/// Every snapshot that the records in the directory of a run name.
pub(crate) fn snapshots_of_worktrees(directory: &Path) -> BTreeSet<SnapshotId> {
    let all = Layout::new(directory.to_owned()).worktrees();
    let mut found = BTreeSet::new();
    for path in entries(&all) {
        found.extend(Base::load(&path).map(|base| base.snapshot));
        for record in entries(&path) {
            if let Some(WorktreeRecord { before, after }) = load(&record) {
                found.insert(before);
                found.extend(after);
            }
        }
    }
    found
}

/// Copies the records of a run for one that continues its history. What the branches have changed is in the store.
pub(crate) fn copy_records(from: &Path, to: &Path) -> io::Result<()> {
    let folders = [from, to].map(|directory| Layout::new(directory.to_owned()).worktrees());
    let [from, to] = folders;
    for split in entries(&from) {
        let inner = entries(&split);
        for file in inner.into_iter().chain([split]) {
            let is_record =
                file.extension().is_some_and(|ending| ending == "json") && file.is_file();
            let below = file.strip_prefix(&from).ok().filter(|_| is_record);
            if let Some(target) = below.map(|below| to.join(below)) {
                fs::create_dir_all(target.parent().unwrap_or(&to))?;
                fs::copy(&file, target)?;
            }
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn load<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// In one step: a record is complete or not there.
fn save(path: &Path, record: &impl Serialize) -> Result<(), String> {
    let json = serde_json::to_vec(record).unwrap_or_default();
    let temporary = path.with_extension("new");
    let written = fs::write(&temporary, json).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))
}
