//! What a command leaves on disk while it runs, so that a later engine can end it if this one dies.
//!
//! A process id alone says nothing: it may belong to someone else by now. With the time the process
//! began and the boot of the machine it is that process or none.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::table;

/// The leader of a command's process group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Footprint {
    /// Its process id, which is its group too.
    pub(super) group: i32,
    /// When it began, in clock ticks since the boot.
    started: u64,
    boot: String,
}

/// A footprint that is removed with this.
pub(super) struct Left(Option<PathBuf>);

impl Footprint {
    /// Reads a footprint; none if there is none.
    pub(super) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Whether its process still lives, or has ended and nobody has looked yet.
    pub(super) fn is_there(&self) -> bool {
        table::read(self.group).is_some_and(|process| process.started == self.started)
            && table::boot().as_deref() == Some(&self.boot)
    }
}

/// Leaves the footprint of a command at `path`. Where the system does not say when a process began, there
/// is none.
pub(super) fn leave(path: Option<PathBuf>, group: Option<u32>) -> Left {
    let written = || {
        let group = i32::try_from(group?).ok()?;
        let footprint = Footprint {
            group,
            started: table::read(group)?.started,
            boot: table::boot()?,
        };
        let path = path?;
        fs::write(&path, serde_json::to_vec(&footprint).ok()?).ok()?;
        Some(path)
    };
    Left(written())
}

impl Drop for Left {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // One that stays names a process that is no more.
            let _ = fs::remove_file(path);
        }
    }
}
