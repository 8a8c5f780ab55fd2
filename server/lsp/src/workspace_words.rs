//! The words of the workspace's pipelines, for completion.
//!
//! Collected by a task of its own when the session begins and whenever files may have changed; completion takes what
//! is there and never waits. A file is read again only when its size or time of change differs.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use attractor_ide::workspace_words::WorkspaceWords;
use rustc_hash::FxHashMap;
use tokio::sync::Notify;

use crate::session::Session;
use crate::sync::lock;

/// The words as they were collected last.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceWordsCache {
    current: Mutex<Arc<WorkspaceWords>>,
    outdated: Notify,
}

impl WorkspaceWordsCache {
    /// The words collected so far.
    pub(crate) fn current(&self) -> Arc<WorkspaceWords> {
        Arc::clone(&lock(&self.current))
    }

    /// Files may have changed: the words are collected again soon.
    pub(crate) fn invalidate(&self) {
        self.outdated.notify_one();
    }
}

/// The words of one file, and the version of the file they were read from.
#[derive(Debug)]
struct FileWords {
    version: (u64, Option<SystemTime>),
    words: WorkspaceWords,
}

/// Collects the words for as long as the session lasts.
pub(crate) async fn keep_current(session: Arc<Session>) {
    let mut files = FxHashMap::default();
    loop {
        let worker = Arc::clone(&session);
        let collected = tokio::task::spawn_blocking(move || collect(&worker, files)).await;
        files = collected.unwrap_or_default();
        let words = WorkspaceWords::merged(files.values().map(|file| &file.words));
        *lock(&session.workspace_words.current) = Arc::new(words);
        session.workspace_words.outdated.notified().await;
    }
}

/// The words of every file of the workspace; those of `known` that did not change are taken over.
fn collect(
    session: &Arc<Session>,
    mut known: FxHashMap<PathBuf, FileWords>,
) -> FxHashMap<PathBuf, FileWords> {
    let paths = session.workspace.dot_files().into_iter();
    let files = paths.filter_map(|path| {
        let version = version(&std::fs::metadata(&path).ok()?);
        let unchanged = known.remove(&path).filter(|file| file.version == version);
        let file = unchanged.or_else(|| read(session, &path, version))?;
        Some((path, file))
    });
    files.collect()
}

fn read(
    session: &Arc<Session>,
    path: &Path,
    version: (u64, Option<SystemTime>),
) -> Option<FileWords> {
    let view = session.view_of_file(path)?;
    let words = WorkspaceWords::of(&view.document);
    Some(FileWords { version, words })
}

fn version(about: &Metadata) -> (u64, Option<SystemTime>) {
    (about.len(), about.modified().ok())
}
