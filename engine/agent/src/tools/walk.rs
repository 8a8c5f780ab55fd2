//! The files below a folder, for searches: without what git ignores, links are not followed, and bounded, however many
//! files there are.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use attractor_exec::{has_readable_ignore_files, has_readable_ignore_files_above};
use ignore::{DirEntry, WalkBuilder};
use tokio_util::sync::CancellationToken;

use crate::workspace::Workspace;

/// Bounds of a search.
#[derive(Debug, Clone, Copy)]
pub struct SearchLimits {
    /// Files and folders visited.
    pub entries: usize,
    /// Time.
    pub time: Duration,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            entries: 1_000_000,
            time: Duration::from_secs(20),
        }
    }
}

/// A search below a folder.
pub(super) struct Walk<'a> {
    pub(super) workspace: &'a Workspace,
    /// Where it begins, as a resolved path: a folder or one file.
    pub(super) below: &'a Path,
    /// Also files that git ignores.
    pub(super) include_ignored: bool,
    pub(super) limits: SearchLimits,
    pub(super) cancel: &'a CancellationToken,
}

impl Walk<'_> {
    /// Visits the regular files, folder by folder in the order of their names, by their paths relative to the root.
    /// Says why it did not visit all, unless `visit` ended it.
    pub(super) fn files(
        &self,
        mut visit: impl FnMut(&Path, &DirEntry) -> ControlFlow<()>,
    ) -> Option<String> {
        let root = self.workspace.root();
        let deadline = Instant::now().checked_add(self.limits.time);
        let mut walk = WalkBuilder::new(root.join(self.below));
        let folder = root.join(self.below);
        let whole = Arc::new(AtomicBool::new(true));
        let is_complete = Arc::clone(&whole);
        let obeys = !self.include_ignored && has_readable_ignore_files_above(&folder);
        walk.standard_filters(obeys)
            .hidden(false)
            .require_git(false)
            .follow_links(false)
            .sort_by_file_name(OsStr::cmp)
            .filter_entry(move |entry| {
                if entry.depth() > 0 && is_state(entry) {
                    return false;
                }
                let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                let is_read = !obeys || !is_folder || has_readable_ignore_files(entry.path());
                is_complete.fetch_and(is_read, Ordering::Relaxed);
                is_read
            });
        for (visited, entry) in walk.build().enumerate() {
            if self.cancel.is_cancelled() {
                return Some("the session was cancelled".to_owned());
            }
            if visited >= self.limits.entries {
                return Some(format!(
                    "{} files and folders were searched",
                    self.limits.entries
                ));
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Some(format!(
                    "it took more than {} seconds",
                    self.limits.time.as_secs()
                ));
            }
            // What cannot be read is left out, as other searches do it.
            let Ok(entry) = entry else { continue };
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let Some(path) = entry.path().strip_prefix(root).ok().filter(|_| is_file) else {
                continue;
            };
            if visit(path, &entry).is_break() {
                return None;
            }
        }
        let is_whole = whole.load(Ordering::Relaxed);
        (!is_whole).then(|| "a folder whose `.gitignore` cannot be read was left out".to_owned())
    }
}

/// The store of git, and the state of runs: neither is part of the project.
fn is_state(entry: &DirEntry) -> bool {
    let is_runs = || {
        let parent = entry.path().parent().and_then(Path::file_name);
        entry.file_name() == "runs" && parent == Some(OsStr::new(".attractor"))
    };
    entry.file_name() == ".git" || is_runs()
}

/// The note of a search that did not look at everything.
pub(super) fn partial_search_note(why: &str) -> String {
    format!(
        "[not everything was searched: {why}; narrow it with `path` or a more specific pattern]"
    )
}
