//! The files of the project that a run has changed: as a human gate shows them, and node by node.
//!
//! All of it compares snapshots (crate `snapshots`): one when the run starts, and one before and after each visit of a
//! node that can change files. So what a command of an agent did is found too. Texts that are shown are redacted on both
//! sides before they are compared, so no secret gets into a question or onto a screen.

mod baseline;
mod diff;
mod file_diff;
mod fork;
mod history;
mod recorder;

pub(crate) use baseline::{Baseline, Folders};
pub use file_diff::FileDiff;
pub(crate) use file_diff::shown;
pub(crate) use fork::ForkWorkspace;
pub(crate) use history::snapshots_of_run;
pub use history::{FileChanges, changed_files, changes_of_node, changes_of_run};
pub(crate) use recorder::{Recorder, VisitRecording};

use std::path::{Path, PathBuf};

use attractor_snapshots::SnapshotStore;

/// The store of snapshots of the runs in `runs_dir`: `.attractor/objects` of the project, or a folder among runs that
/// are kept elsewhere.
pub(crate) fn snapshot_store(runs_dir: &Path) -> SnapshotStore {
    SnapshotStore::new(&store_folder(runs_dir))
}

fn store_folder(runs_dir: &Path) -> PathBuf {
    match runs_dir.parent() {
        Some(parent) if parent.file_name().is_some_and(|name| name == ".attractor") => {
            parent.join("objects")
        }
        _ => runs_dir.join(".objects"),
    }
}
