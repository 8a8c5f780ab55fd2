//! The files of a workspace that count as its content.

use std::path::{Path, PathBuf};

use attractor_exec::{has_readable_ignore_files, has_readable_ignore_files_above, normalize};
use ignore::WalkBuilder;

/// Which files a snapshot is about.
#[derive(Clone, Copy)]
pub struct Scope<'p> {
    /// The files beneath this folder.
    pub root: &'p Path,
    /// Without those beneath this one, where runs are kept.
    pub runs_dir: &'p Path,
    /// Whether a content must not be stored. Such a file is recorded by its checksum: its changes are listed, and
    /// cannot be shown or reverted.
    pub is_private: &'p dyn Fn(&[u8]) -> bool,
}

/// The regular files and symbolic links beneath the root that are not ignored, relative to it, in no certain order.
/// Links are not followed.
pub(crate) fn files(scope: Scope<'_>) -> impl Iterator<Item = (PathBuf, ignore::DirEntry)> {
    let runs_dir = std::path::absolute(scope.runs_dir);
    let runs_dir = normalize(&runs_dir.unwrap_or_else(|_| scope.runs_dir.to_owned()));
    let root = scope.root.to_owned();
    let obeys = has_readable_ignore_files_above(scope.root);
    WalkBuilder::new(scope.root)
        .git_ignore(obeys)
        .ignore(obeys)
        .hidden(false)
        .git_global(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| is_content(entry) && entry.path() != runs_dir)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| {
            let kind = entry.file_type();
            kind.is_some_and(|kind| kind.is_file() || kind.is_symlink())
        })
        .filter_map(move |entry| {
            let below = entry.path().strip_prefix(&root).ok()?.to_owned();
            Some((below, entry))
        })
}

fn is_content(entry: &ignore::DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let is_secret = name == ".env" || name.starts_with(".env.");
    let is_content = entry.depth() == 0 || !(is_secret || matches!(&*name, ".git" | ".attractor"));
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    is_content && (!is_folder || has_readable_ignore_files(entry.path()))
}
