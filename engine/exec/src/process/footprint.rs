//! What a command leaves on disk while it runs, so that a later engine can end it if this one dies: the
//! identity of the leader of its process group.

use std::fs;
use std::path::{Path, PathBuf};

use super::identity::Identity;

/// A footprint that is removed with this.
pub(super) struct FootprintFile(Option<PathBuf>);

/// Reads the leader of a group; its process id is its group too. None if there is no footprint.
pub(super) fn read(path: &Path) -> Option<Identity> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Leaves the footprint of a command at `path`. Where the system does not say when a process began, there
/// is none.
pub(super) fn leave(path: Option<PathBuf>, group: Option<u32>) -> FootprintFile {
    let written = || {
        let leader = Identity::of(i32::try_from(group?).ok()?);
        let path = path.filter(|_| leader.is_certain())?;
        fs::write(&path, serde_json::to_vec(&leader).ok()?).ok()?;
        Some(path)
    };
    FootprintFile(written())
}

impl Drop for FootprintFile {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // One that stays names a process that is no more.
            let _ = fs::remove_file(path);
        }
    }
}
