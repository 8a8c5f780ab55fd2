//! Hard links: a file of the project may have another name outside of it, which no path shows.

use std::fs::Metadata;
use std::path::Path;

/// Whether a file has a name that is not beneath `root`. A project with very many files is not searched, and the answer
/// is yes.
pub(crate) fn has_name_outside(root: &Path, file: &Metadata) -> bool {
    use std::os::unix::fs::{DirEntryExt as _, MetadataExt as _};

    /// Entries that are looked at.
    const MOST: usize = 200_000;

    if file.nlink() < 2 || file.is_dir() {
        return false;
    }
    let mut names = 0;
    let mut seen = 0;
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > MOST {
                return true;
            }
            let is_same = entry.ino() == file.ino()
                && entry
                    .metadata()
                    .is_ok_and(|other| other.dev() == file.dev());
            names += u64::from(is_same);
            if names == file.nlink() {
                return false;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
    true
}
