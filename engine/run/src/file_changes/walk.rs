//! The files of a project that count as its content.

use std::path::{Path, PathBuf};

use attractor_exec::normalize;
use ignore::{DirEntry, WalkBuilder};

/// The regular files beneath `root` that are not ignored, without those beneath `runs_dir`, in no certain order.
/// Symbolic links are not followed.
pub(super) fn files(root: &Path, runs_dir: &Path) -> impl Iterator<Item = PathBuf> {
    let runs_dir =
        normalize(&std::path::absolute(runs_dir).unwrap_or_else(|_| runs_dir.to_owned()));
    WalkBuilder::new(root)
        .hidden(false)
        .git_global(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| is_content(entry) && entry.path() != runs_dir)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(DirEntry::into_path)
}

fn is_content(entry: &DirEntry) -> bool {
    let name = entry.file_name().to_string_lossy();
    let is_secret = name == ".env" || name.starts_with(".env.");
    entry.depth() == 0 || !(is_secret || matches!(&*name, ".git" | ".attractor"))
}
