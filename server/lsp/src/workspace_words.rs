//! Collects the words of the workspace's pipelines, for completion.
//!
//! A task of its own collects them when the session starts and whenever files may have changed; completion takes what is
//! cached and never waits. A file is read again only when its size or time of change differs.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use attractor_ide::workspace_words::WorkspaceWords;
use rustc_hash::FxHashMap;

use crate::analysis;
use crate::session::Session;

/// The words of one file, and the version of the file they were read from.
#[derive(Debug)]
struct FileWords {
    version: (u64, Option<SystemTime>),
    words: WorkspaceWords,
}

/// Collects the words until the server stops.
pub(crate) async fn collect_loop(session: Arc<Session>) {
    let mut files = FxHashMap::default();
    loop {
        let worker = Arc::clone(&session);
        let collected = tokio::task::spawn_blocking(move || collect(&worker, files)).await;
        files = collected.unwrap_or_default();
        let words = WorkspaceWords::merged(files.values().map(|file| &file.words));
        session.workspace_words.store(words);
        session.workspace_words.invalidated().await;
    }
}

/// The words of every file of the workspace; those of `known` that did not change are taken over.
fn collect(
    session: &Session,
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

fn read(session: &Session, path: &Path, version: (u64, Option<SystemTime>)) -> Option<FileWords> {
    let (documents, workspace) = (&session.documents, &session.workspace);
    let (_, document) = analysis::document_on_disk(documents, workspace, &session.notifier, path)?;
    let words = WorkspaceWords::of(&document);
    Some(FileWords { version, words })
}

fn version(about: &Metadata) -> (u64, Option<SystemTime>) {
    (about.len(), about.modified().ok())
}
