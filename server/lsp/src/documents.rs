//! The open documents, as immutable snapshots.
//!
//! A change makes a new [`Snapshot`], which is cheap. The analysis of a text (parse, lints) is computed when the
//! [`Document`] of a snapshot is first requested, once, and never for versions that are not requested. So a burst of
//! keystrokes in a huge file costs one analysis, not one per key, and a handler that holds a snapshot is not disturbed
//! by the next keystroke.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use attractor_ide::diagnostics::typing::ReportedDiagnostics;
use attractor_ide::document::Document;
use attractor_ide::model::Options;
use attractor_ide::position::{self, Change, Encoding};
use lsp_types::Uri;
use ropey::Rope;
use rustc_hash::FxHashMap;
use tokio::sync::Notify;

use crate::paths;
use attractor_proto::sync::lock;

/// Texts up to this many bytes are analyzed inline, in well under a millisecond; larger ones on a blocking thread.
const SYNC_PARSE_MAX_BYTES: usize = 32 * 1024;

/// One version of one open document.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The document.
    pub(crate) uri: Uri,
    /// The client's version.
    pub(crate) version: i32,
    /// The text.
    pub(crate) rope: Rope,
    /// How the text is analyzed.
    pub(crate) options: Arc<Options>,
    document: OnceLock<Arc<Document>>,
    /// The byte offset at the end of the edit that made this version; `None` of a version that was opened.
    edit: Option<usize>,
    /// Whether nobody has been typing for a while, or the text was saved.
    is_settled: AtomicBool,
}

impl Snapshot {
    /// Whether analyzing the text and answering from it takes no noticeable time.
    pub(crate) fn is_small(&self) -> bool {
        self.rope.len_bytes() <= SYNC_PARSE_MAX_BYTES
    }

    /// Whether analyzing the text takes no noticeable time, or is done.
    pub(crate) fn is_quick(&self) -> bool {
        self.is_small() || self.document.get().is_some()
    }

    /// The byte offset where the user is typing; `None` when nobody is.
    pub(crate) fn typing_at(&self) -> Option<usize> {
        self.edit
            .filter(|_| !self.is_settled.load(Ordering::Relaxed))
    }

    /// The analyzed document, by `analyze` unless it has been analyzed before.
    pub(crate) fn document_or_init(
        &self,
        analyze: impl FnOnce() -> Arc<Document>,
    ) -> Arc<Document> {
        Arc::clone(self.document.get_or_init(analyze))
    }
}

/// Drops an old version. Freeing the analysis of a large text takes milliseconds, so that happens on a thread of its
/// own and no keystroke waits for it; on this one when the system has no more threads.
fn drop_in_background(old: Arc<Snapshot>) {
    if !old.is_small() && old.document.get().is_some() {
        let _ = thread::Builder::new().spawn(move || drop(old));
    }
}

/// The open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: Mutex<FxHashMap<Uri, Arc<Snapshot>>>,
    /// The paths that the newest analysis of each document looked up.
    dependencies: Mutex<FxHashMap<Uri, BTreeSet<PathBuf>>>,
    dependencies_changed: Notify,
    /// What was reported of each document when it was last settled.
    reported: Mutex<FxHashMap<Uri, Arc<ReportedDiagnostics>>>,
}

impl Documents {
    /// Opens a document, or replaces it when it is open already.
    pub(crate) fn open(&self, uri: Uri, version: i32, text: &str, options: Options) {
        let snapshot = snapshot(
            uri.clone(),
            version,
            Rope::from_str(text),
            Arc::new(options),
            None,
        );
        lock(&self.reported).remove(&uri);
        lock(&self.open).insert(uri, snapshot);
    }

    /// Applies changes in order. `false` when the document is not open.
    pub(crate) fn change(
        &self,
        uri: &Uri,
        version: i32,
        changes: impl IntoIterator<Item = Change>,
        encoding: Encoding,
    ) -> bool {
        let Some(old) = self.get(uri) else {
            return false;
        };
        let mut rope = old.rope.clone();
        let mut edit = old.typing_at();
        for change in changes {
            edit = Some(position::apply(&mut rope, &change, encoding));
        }
        let options = Arc::clone(&old.options);
        let snapshot = snapshot(uri.clone(), version, rope, options, edit);
        lock(&self.open).insert(uri.clone(), snapshot);
        drop_in_background(old);
        true
    }

    /// Closes a document.
    pub(crate) fn close(&self, uri: &Uri) {
        lock(&self.open).remove(uri);
        lock(&self.dependencies).remove(uri);
        lock(&self.reported).remove(uri);
        self.dependencies_changed.notify_one();
    }

    /// Ends the typing in a document, of the newest version or of `version` only. `false` when nobody was typing it.
    pub(crate) fn settle(&self, uri: &Uri, version: Option<i32>) -> bool {
        self.get(uri).is_some_and(|snapshot| {
            let is_wanted = version.is_none_or(|version| version == snapshot.version);
            is_wanted
                && snapshot.edit.is_some()
                && !snapshot.is_settled.swap(true, Ordering::Relaxed)
        })
    }

    /// Stores what was reported of a settled document.
    pub(crate) fn set_reported(&self, uri: &Uri, reported: ReportedDiagnostics) {
        lock(&self.reported).insert(uri.clone(), Arc::new(reported));
    }

    /// What was reported of a document when it was last settled.
    pub(crate) fn reported(&self, uri: &Uri) -> Arc<ReportedDiagnostics> {
        lock(&self.reported).get(uri).cloned().unwrap_or_default()
    }

    /// Stores the paths that the analysis of a document looked up.
    pub(crate) fn set_dependencies(&self, uri: &Uri, paths: BTreeSet<PathBuf>) {
        let mut known = lock(&self.dependencies);
        if known.get(uri) != Some(&paths) {
            known.insert(uri.clone(), paths);
            self.dependencies_changed.notify_one();
        }
    }

    /// The paths that the newest analysis of each document looked up, whether the files exist or not.
    pub(crate) fn dependencies(&self) -> Vec<(Uri, BTreeSet<PathBuf>)> {
        let known = lock(&self.dependencies);
        let known = known.iter();
        known
            .map(|(uri, paths)| (uri.clone(), paths.clone()))
            .collect()
    }

    /// Waits until the dependencies of a document change.
    pub(crate) async fn dependencies_changed(&self) {
        self.dependencies_changed.notified().await;
    }

    /// Discards every analysis: files that documents depend on, or the settings, changed. `options` returns the new
    /// options of a document.
    pub(crate) fn reload(&self, options: impl Fn(&Uri) -> Options) {
        for old in self.all() {
            let options = Arc::new(options(&old.uri));
            let (uri, rope) = (old.uri.clone(), old.rope.clone());
            let new = snapshot(uri, old.version, rope, options, old.typing_at());
            let mut open = lock(&self.open);
            // A document that changed meanwhile has its new options from the next reload.
            if open.get(&old.uri).is_some_and(|now| Arc::ptr_eq(now, &old)) {
                open.insert(old.uri.clone(), new);
            }
        }
    }

    /// The newest snapshot of a document.
    pub(crate) fn get(&self, uri: &Uri) -> Option<Arc<Snapshot>> {
        lock(&self.open).get(uri).cloned()
    }

    /// The newest snapshot of the document at a path, however the client writes its URI.
    pub(crate) fn at(&self, path: &Path) -> Option<Arc<Snapshot>> {
        self.all()
            .into_iter()
            .find(|snapshot| paths::path_of(&snapshot.uri).as_deref() == Some(path))
    }

    /// The text the editor has at a path.
    pub(crate) fn text_at(&self, path: &Path) -> Option<String> {
        self.at(path).map(|snapshot| snapshot.rope.to_string())
    }

    /// Every open document.
    pub(crate) fn all(&self) -> Vec<Arc<Snapshot>> {
        lock(&self.open).values().cloned().collect()
    }

    /// Whether `snapshot` is what the client has now.
    pub(crate) fn is_current(&self, snapshot: &Arc<Snapshot>) -> bool {
        self.get(&snapshot.uri)
            .is_some_and(|now| now.version == snapshot.version)
    }
}

fn snapshot(
    uri: Uri,
    version: i32,
    rope: Rope,
    options: Arc<Options>,
    edit: Option<usize>,
) -> Arc<Snapshot> {
    Arc::new(Snapshot {
        uri,
        version,
        rope,
        options,
        document: OnceLock::new(),
        edit,
        is_settled: AtomicBool::new(false),
    })
}
