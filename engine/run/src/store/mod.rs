//! What a run keeps: on disk, or in memory for a dry run.
//!
//! The journal is the truth. A store that has failed once accepts nothing more; the run then ends with a
//! message and everything before the failure stays as it is.

pub(crate) mod artifact_store;
pub(crate) mod artifacts;
mod checkpoint;
pub(crate) mod checkpoint_file;
pub(crate) mod context_value;
mod journal;
pub(crate) mod journal_tail;
mod layout;
mod lock;
mod manifest;
mod reading;
mod record;
pub(crate) mod stored_inputs;
pub(crate) mod stored_sources;
pub(crate) mod worktree_record;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use checkpoint::Snapshot;
pub(crate) use journal::{Journal, Loaded, Position, load, load_after};
pub(crate) use layout::Layout;
pub(crate) use lock::Lock;
pub(crate) use manifest::{Manifest, SourceEntry};
pub(crate) use record::Record;

use attractor_exec::Disk;
use attractor_machine::event::NodeAttempt;
use attractor_machine::outcome::Outcome;

use crate::error::RunError;
use crate::store::artifacts::Artifacts;

/// Where a run is kept.
pub(crate) enum Store {
    /// On disk.
    Disk(DiskStore),
    /// Nowhere: a dry run leaves no trace.
    Memory,
}

/// A run on disk, owned by this process.
pub(crate) struct DiskStore {
    pub(crate) layout: Layout,
    pub(crate) journal: Journal,
    pub(crate) disk: Arc<dyn Disk>,
    /// Given up when the run is.
    pub(crate) lock: Lock,
}

impl Store {
    /// Gives a draft its name, once its first events are durable.
    pub(crate) fn publish(&mut self, directory: &Path) -> Result<(), RunError> {
        let Self::Disk(store) = self else {
            return Ok(());
        };
        if store.layout.root() == directory {
            return Ok(());
        }
        store
            .disk
            .rename_directory(store.layout.root(), directory)
            .map_err(RunError::io("cannot make", directory))?;
        store.layout = Layout::new(directory.to_owned());
        store.journal.moved(store.layout.journal());
        Ok(())
    }

    /// Makes events durable.
    pub(crate) fn append(&mut self, records: &[Record]) -> Result<(), RunError> {
        match self {
            Self::Disk(store) => store.journal.append(records),
            Self::Memory => Ok(()),
        }
    }

    /// Keeps events that may be lost in a crash.
    pub(crate) fn append_lazily(&mut self, records: &[Record]) -> Result<(), RunError> {
        match self {
            Self::Disk(store) => store.journal.append_lazily(records),
            Self::Memory => Ok(()),
        }
    }

    /// Keeps the state, as the latest or under a name.
    pub(crate) fn keep(&self, snapshot: &Snapshot, name: Option<&str>) -> Result<(), RunError> {
        let Self::Disk(store) = self else {
            return Ok(());
        };
        let path = match name {
            Some(name) => {
                let folder = store.layout.checkpoints();
                fs::create_dir_all(&folder).map_err(RunError::io("cannot make", &folder))?;
                store.layout.named(name)
            }
            None => store.layout.checkpoint(),
        };
        snapshot.save(&path, store.disk.as_ref())
    }

    /// Moves what is too large for the journal to files.
    pub(crate) fn move_out(&self, outcome: &mut Outcome) -> Result<(), RunError> {
        match self {
            Self::Disk(store) => {
                Artifacts::new(store.layout.artifacts()).keep(outcome, store.disk.as_ref())
            }
            Self::Memory => Ok(()),
        }
    }

    /// Where the journal ends.
    pub(crate) fn position(&self) -> Position {
        match self {
            Self::Disk(store) => store.journal.position(),
            Self::Memory => Position::default(),
        }
    }

    /// The directory of an attempt; it need not exist.
    pub(crate) fn stage_path(&self, at: &NodeAttempt) -> PathBuf {
        match self {
            Self::Disk(store) => store.layout.stage(at),
            Self::Memory => PathBuf::new(),
        }
    }

    /// Removes the directory of an attempt that left nothing in it, and that of its node: a long run of silent
    /// commands would leave thousands, and deleting them takes longer than anything else.
    pub(crate) fn remove_empty_stage(&self, at: &NodeAttempt) {
        if let Self::Disk(store) = self {
            let path = store.layout.stage(at);
            // One that holds something stays.
            let removed = fs::remove_dir(&path);
            if let Some(node) = path.parent().filter(|_| removed.is_ok()) {
                let _ = fs::remove_dir(node);
            }
        }
    }

    /// Makes the directory of an attempt.
    pub(crate) fn make_stage(&self, path: &Path) -> Result<(), RunError> {
        match self {
            Self::Disk(_) => Layout::make_stage(path).map_err(RunError::io("cannot make", path)),
            Self::Memory => Ok(()),
        }
    }
}
