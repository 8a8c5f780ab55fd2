//! The files of a workspace that count as its content.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
/// Links are not followed. Notes in `is_complete` when a folder is left out, because what to ignore there cannot be read.
pub(crate) fn files(
    scope: Scope<'_>,
    is_complete: Arc<AtomicBool>,
) -> impl Iterator<Item = (PathBuf, ignore::DirEntry)> {
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
        .filter_entry(move |entry| {
            if !is_content(entry) || entry.path() == runs_dir {
                return false;
            }
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let is_read = !obeys || !is_folder || has_readable_ignore_files(entry.path());
            is_complete.fetch_and(is_read, Ordering::Relaxed);
            is_read
        })
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
    entry.depth() == 0 || !(is_secret || matches!(&*name, ".git" | ".attractor"))
}
