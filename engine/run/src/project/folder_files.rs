//! The files below a folder that belong to the project, for the editor, the command line and
//! the server alike.
//!
//! Hidden folders are searched: pipelines of `.github` run as any other. What the project ignores by `.gitignore` and
//! [`SKIPPED_FOLDERS`] are left out, and symbolic links are not followed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use attractor_exec::{has_readable_ignore_files, has_readable_ignore_files_above};
use ignore::{DirEntry, WalkBuilder};

/// Folders that hold no file of the project itself.
const SKIPPED_FOLDERS: [&str; 3] = ["node_modules", "target", ".git"];

/// Folders and files that [`files_near`] looks at below a folder.
const MAX_ENTRIES_NEAR: usize = 5_000;

/// The files below `folder` that `is_wanted` accepts, sorted by path.
pub fn files_below(folder: &Path, is_wanted: fn(&Path) -> bool) -> impl Iterator<Item = PathBuf> {
    find(folder, None, usize::MAX, is_wanted).into_iter()
}

/// The files in `folder` that `is_wanted` accepts; without one, those below it that are found soon, so that the folder
/// may be a home or a whole disk.
pub fn files_near(folder: &Path, is_wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    let own = find(folder, Some(1), usize::MAX, is_wanted);
    if !own.is_empty() {
        return own;
    }
    find(folder, Some(4), MAX_ENTRIES_NEAR, is_wanted)
}

/// The wanted ones of the first `most` files and folders. Nothing is ignored where one file that says what to ignore cannot be
/// read: what is left out would not be checked, without a word.
fn find(
    folder: &Path,
    depth: Option<usize>,
    most: usize,
    is_wanted: fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let is_obeyed = Arc::new(AtomicBool::new(has_readable_ignore_files_above(folder)));
    loop {
        let obeys = is_obeyed.load(Ordering::Relaxed);
        let mut entries = walk(folder, obeys, Arc::clone(&is_obeyed));
        let entries = entries.max_depth(depth).build().take(most);
        let files = entries.filter_map(Result::ok).filter(is_file);
        let found = files
            .map(DirEntry::into_path)
            .filter(|path| is_wanted(path))
            .collect();
        if obeys == is_obeyed.load(Ordering::Relaxed) {
            return found;
        }
    }
}

/// A walk that notes in `is_obeyed` when it reaches ignore files that cannot be read.
fn walk(folder: &Path, obeys: bool, is_obeyed: Arc<AtomicBool>) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    walk.hidden(false)
        .git_ignore(obeys)
        .ignore(obeys)
        .require_git(false)
        .filter_entry(move |entry| {
            let name = entry.file_name().to_str();
            let is_skipped = name.is_some_and(|name| SKIPPED_FOLDERS.contains(&name));
            if entry.depth() > 0 && is_skipped {
                return false;
            }
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_read = !obeys || !is_folder || has_readable_ignore_files(entry.path());
            is_obeyed.fetch_and(is_read, Ordering::Relaxed);
            is_read
        })
        .sort_by_file_path(Path::cmp);
    walk
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_cannot_say_what_to_ignore_hides_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let names = |name: &str| {
            let found = files_below(folder.path(), |path| path.extension().is_some());
            assert!(found.count() > 0, "{name}");
            let found = files_below(folder.path(), |path| path.extension().is_some());
            let names = found.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
            names.collect::<Vec<_>>().join(" ")
        };
        fs::create_dir_all(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join(".gitignore"), "b.dot\n").unwrap();
        fs::write(folder.path().join("b.dot"), "").unwrap();
        fs::write(folder.path().join("inner/a.dot"), "").unwrap();
        assert_eq!(names("plain"), "a.dot");
        let ignore = folder.path().join("inner/.gitignore");
        std::os::unix::fs::symlink("/dev/zero", &ignore).unwrap();
        assert_eq!(names("device"), "b.dot a.dot");
    }
}
