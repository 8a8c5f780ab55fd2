//! What a command leaves on disk while it runs, so that a later engine can end it if this one dies: the
//! identity of the leader of its process group.

use std::fs;
use std::path::{Path, PathBuf};

use super::identity::Identity;

/// The file that names the first command of an attempt while it runs, in the folder of the attempt; the next ones have
/// a number in their names.
const NAME: &str = "process";

/// The name of the file that a running command is known by in the folder of its attempt: of the first command with
/// number 0.
pub fn footprint_name(number: u32) -> String {
    match number {
        0 => format!("{NAME}.json"),
        number => format!("{NAME}-{number}.json"),
    }
}

/// The files that commands of an attempt have left in its folder.
pub fn footprints_in(folder: &Path) -> Vec<PathBuf> {
    let is_footprint = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix(NAME)?.strip_suffix(".json"));
        number.is_some_and(|number| number.is_empty() || number.starts_with('-'))
    };
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(is_footprint).collect()
}

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
