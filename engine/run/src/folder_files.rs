//! The files below a folder that belong to the project, for the editor, the command line and
//! the server alike.
//!
//! Hidden folders are searched: pipelines of `.github` run as any other. What the project ignores by `.gitignore` and
//! [`SKIPPED_FOLDERS`] are left out, and symbolic links are not followed.

use std::path::{Path, PathBuf};

use attractor_exec::{has_readable_ignore_files, has_readable_ignore_files_above};
use ignore::{DirEntry, WalkBuilder};

/// Folders that hold no file of the project itself.
const SKIPPED_FOLDERS: [&str; 3] = ["node_modules", "target", ".git"];

/// Folders and files that [`files_near`] looks at below a folder.
const MAX_ENTRIES_NEAR: usize = 5_000;

/// The files below `folder` that `is_wanted` accepts, sorted by path.
pub fn files_below(folder: &Path, is_wanted: fn(&Path) -> bool) -> impl Iterator<Item = PathBuf> {
    wanted(walk(folder).build(), is_wanted)
}

/// The files in `folder` that `is_wanted` accepts; without one, those below it that are found soon, so that the folder
/// may be a home or a whole disk.
pub fn files_near(folder: &Path, is_wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    let own: Vec<PathBuf> = wanted(walk(folder).max_depth(Some(1)).build(), is_wanted).collect();
    if !own.is_empty() {
        return own;
    }
    let entries = walk(folder).max_depth(Some(4)).build();
    wanted(entries.take(MAX_ENTRIES_NEAR), is_wanted).collect()
}

fn walk(folder: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(folder);
    let obeys = has_readable_ignore_files_above(folder);
    walk.hidden(false)
        .git_ignore(obeys)
        .ignore(obeys)
        .require_git(false)
        .filter_entry(is_searched)
        .sort_by_file_path(Path::cmp);
    walk
}

fn wanted(
    entries: impl Iterator<Item = Result<DirEntry, ignore::Error>>,
    is_wanted: fn(&Path) -> bool,
) -> impl Iterator<Item = PathBuf> {
    let files = entries.filter_map(Result::ok).filter(is_file);
    files
        .map(DirEntry::into_path)
        .filter(move |path| is_wanted(path))
}

fn is_searched(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_str();
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    let is_skipped = name.is_some_and(|name| SKIPPED_FOLDERS.contains(&name))
        || is_folder && !has_readable_ignore_files(entry.path());
    entry.depth() == 0 || !is_skipped
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
