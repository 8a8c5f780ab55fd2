//! The open documents, as immutable snapshots.
//!
//! A change makes a new [`Snapshot`], which is cheap; reading a text (parse, lints) happens when somebody
//! first asks for the [`Document`] of a snapshot, once, and never for versions nobody looked at. So a
//! burst of keystrokes in a huge file costs one reading, not one per key, and a handler that holds a
//! snapshot is not disturbed by the next keystroke.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use attractor_ide::document::Document;
use attractor_ide::model::{Files, NoFiles, Options};
use attractor_ide::position::{self, Change, Encoding};
use lsp_types::Uri;
use ropey::Rope;
use rustc_hash::FxHashMap;
use tokio::sync::Notify;

use crate::sync::lock;
use crate::workspace::{self, Around};

/// Texts up to this many bytes are read where they are asked for, in well under a millisecond; larger
/// ones on a thread of their own, so that nothing else waits.
const SMALL: usize = 32 * 1024;

/// One version of one open document.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// The document.
    pub(crate) uri: Uri,
    /// The client's version.
    pub(crate) version: i32,
    rope: Rope,
    options: Arc<Options>,
    open: Arc<Documents>,
    document: OnceLock<Arc<Document>>,
}

impl Snapshot {
    /// Whether reading the text and looking at it takes no noticeable time.
    pub(crate) fn is_small(&self) -> bool {
        self.rope.len_bytes() <= SMALL
    }

    /// Whether reading the text takes no noticeable time, or is done.
    pub(crate) fn is_quick(&self) -> bool {
        self.is_small() || self.document.get().is_some()
    }

    /// The document, read now if it has not been.
    pub(crate) fn document(&self) -> Arc<Document> {
        let read = || {
            let around = Around::new(&self.uri, &self.options, &self.open);
            let files: &dyn Files = around.as_ref().map_or(&NoFiles, |around| around);
            let options = Options::clone(&self.options);
            let document = Document::from_rope(self.rope.clone(), self.version, options, files);
            let asked = around.map(Around::into_asked).unwrap_or_default();
            self.open.note_read_files(&self.uri, asked);
            Arc::new(document)
        };
        Arc::clone(self.document.get_or_init(read))
    }

    /// The document; a large text is read on another thread.
    pub(crate) async fn read(self: &Arc<Self>) -> Arc<Document> {
        if self.is_quick() {
            return self.document();
        }
        let this = Arc::clone(self);
        // A panic of the reading thread is met again here, where it is answered.
        tokio::task::spawn_blocking(move || this.document())
            .await
            .unwrap_or_else(|_| self.document())
    }
}

/// Lets go of an old version. Giving back what is known of a large text takes milliseconds, so that happens on a thread
/// of its own, and no keystroke waits for it; here when the system gives none.
fn let_go(old: Arc<Snapshot>) {
    if !old.is_small() && old.document.get().is_some() {
        let _ = thread::Builder::new().spawn(move || drop(old));
    }
}

/// The open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: Mutex<FxHashMap<Uri, Arc<Snapshot>>>,
    /// The paths that the newest reading of each document asked for.
    read_files: Mutex<FxHashMap<Uri, BTreeSet<PathBuf>>>,
    read_files_changed: Notify,
}

impl Documents {
    /// Opens a document, or replaces it when it is open already.
    pub(crate) fn open(self: &Arc<Self>, uri: Uri, version: i32, text: &str, options: Options) {
        let snapshot = self.snapshot(
            uri.clone(),
            version,
            Rope::from_str(text),
            Arc::new(options),
        );
        lock(&self.open).insert(uri, snapshot);
    }

    /// Applies changes in order. `false` when the document is not open.
    pub(crate) fn change(
        self: &Arc<Self>,
        uri: &Uri,
        version: i32,
        changes: impl IntoIterator<Item = Change>,
        encoding: Encoding,
    ) -> bool {
        let Some(old) = self.get(uri) else {
            return false;
        };
        let mut rope = old.rope.clone();
        for change in changes {
            position::apply(&mut rope, &change, encoding);
        }
        let snapshot = self.snapshot(uri.clone(), version, rope, Arc::clone(&old.options));
        lock(&self.open).insert(uri.clone(), snapshot);
        let_go(old);
        true
    }

    /// Closes a document.
    pub(crate) fn close(&self, uri: &Uri) {
        lock(&self.open).remove(uri);
        lock(&self.read_files).remove(uri);
        self.read_files_changed.notify_one();
    }

    /// Keeps what the reading of a document asked for.
    fn note_read_files(&self, uri: &Uri, asked: BTreeSet<PathBuf>) {
        let mut known = lock(&self.read_files);
        if known.get(uri) != Some(&asked) {
            known.insert(uri.clone(), asked);
            self.read_files_changed.notify_one();
        }
    }

    /// The paths that the newest reading of each document asked for, whether there are files or not.
    pub(crate) fn read_files(&self) -> Vec<(Uri, BTreeSet<PathBuf>)> {
        let known = lock(&self.read_files);
        let known = known.iter();
        known
            .map(|(uri, asked)| (uri.clone(), asked.clone()))
            .collect()
    }

    /// Waits until documents ask for other files.
    pub(crate) async fn read_files_changed(&self) {
        self.read_files_changed.notified().await;
    }

    /// Reads every document anew with the options `of` gives: files around them, or the settings, changed.
    pub(crate) fn renew(self: &Arc<Self>, of: impl Fn(&Uri) -> Options) {
        for old in self.all() {
            let options = Arc::new(of(&old.uri));
            let new = self.snapshot(old.uri.clone(), old.version, old.rope.clone(), options);
            let mut open = lock(&self.open);
            // Unless it changed meanwhile, in which case the next renewal would come too late anyway.
            if open.get(&old.uri).is_some_and(|now| Arc::ptr_eq(now, &old)) {
                open.insert(old.uri.clone(), new);
            }
        }
    }

    /// The newest snapshot of a document.
    pub(crate) fn get(&self, uri: &Uri) -> Option<Arc<Snapshot>> {
        lock(&self.open).get(uri).cloned()
    }

    /// The newest snapshot of the document at a path, whatever way the client writes its URI.
    pub(crate) fn at(&self, path: &Path) -> Option<Arc<Snapshot>> {
        self.all()
            .into_iter()
            .find(|snapshot| workspace::path_of(&snapshot.uri).as_deref() == Some(path))
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

    fn snapshot(
        self: &Arc<Self>,
        uri: Uri,
        version: i32,
        rope: Rope,
        options: Arc<Options>,
    ) -> Arc<Snapshot> {
        Arc::new(Snapshot {
            uri,
            version,
            rope,
            options,
            open: Arc::clone(self),
            document: OnceLock::new(),
        })
    }
}
