//! What one client and the server share: the documents, the settings, the runs.
//!
//! A [`Session`] lives as long as the connection. Handlers get it by reference, take what they need in
//! their first step and never hold a lock over a wait.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use attractor_ide::document::Document;
use attractor_ide::dot::TextRange;
use attractor_ide::model::{Files, Options};
use attractor_ide::position::Encoding;
use attractor_ide::runs::RunView;
use lsp_types::{MessageType, Uri};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};

use crate::capabilities::client::Features;
use crate::diagnostics::Board;
use crate::documents::{Documents, Snapshot};
use crate::refresh::{Kind, Refresh};
use crate::runs::{Runs, views};
use crate::settings::Settings;
use crate::sync::lock;
use crate::tokens::Packings;
use crate::transport::Post;
use crate::trust::Trust;
use crate::trust::store::Store;
use crate::workspace::{Around, Workspace};
use crate::workspace_words::WorkspaceWordsCache;
use crate::{from_proto, to_proto, workspace};

/// The version of a document that no editor has open.
const UNOPENED: i32 = i32::MIN;

/// What becomes of an answer about a version that the client has changed meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outdated {
    /// It is `ContentModified`.
    Refused,
    /// It is given.
    Answered,
}

/// The state of one connection.
pub(crate) struct Session {
    /// The editor.
    pub(crate) client: Client,
    /// The way to it for what is too large for the framework.
    pub(crate) post: Post,
    /// Cancelled when the server is to end without being asked by the protocol.
    pub(crate) stop: CancellationToken,
    /// What the editor has open.
    pub(crate) documents: Arc<Documents>,
    /// The folders around it.
    pub(crate) workspace: Workspace,
    /// The words of its files.
    pub(crate) workspace_words: WorkspaceWordsCache,
    /// What is to be published.
    pub(crate) diagnostics: Board,
    /// Which pipelines may run.
    pub(crate) trust: Trust,
    /// Runs of this server and of the past.
    pub(crate) runs: Runs,
    /// The semantic tokens clients were last told.
    pub(crate) packings: Packings,
    /// What the client is to ask again.
    pub(crate) refresh: Refresh,
    features: OnceLock<Features>,
    settings: Mutex<Arc<Settings>>,
    tasks: TaskTracker,
    shut_down: AtomicBool,
}

impl Session {
    /// A session that has not been initialised.
    pub(crate) fn new(client: Client, post: Post, settings: Settings) -> Self {
        let state_dir = settings.state_dir.clone().or_else(Store::default_folder);
        Self {
            client,
            post,
            stop: CancellationToken::new(),
            documents: Arc::default(),
            workspace: Workspace::default(),
            workspace_words: WorkspaceWordsCache::default(),
            diagnostics: Board::default(),
            trust: Trust::new(state_dir.as_deref()),
            runs: Runs::default(),
            packings: Packings::default(),
            refresh: Refresh::default(),
            features: OnceLock::new(),
            settings: Mutex::new(Arc::new(settings)),
            tasks: TaskTracker::new(),
            shut_down: AtomicBool::new(false),
        }
    }

    /// What the client announced; nothing before it did.
    pub(crate) fn features(&self) -> &Features {
        static NONE: OnceLock<Features> = OnceLock::new();
        self.features
            .get()
            .unwrap_or_else(|| NONE.get_or_init(Features::default))
    }

    /// Keeps what the client announced. The first announcement counts.
    pub(crate) fn set_features(&self, features: Features) {
        let _ = self.features.set(features);
    }

    /// The settings as they are now.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&lock(&self.settings))
    }

    /// Changes the settings.
    pub(crate) fn change_settings<T>(&self, change: impl FnOnce(&mut Settings) -> T) -> T {
        let mut settings = lock(&self.settings);
        change(Arc::make_mut(&mut settings))
    }

    /// Runs `future` beside everything else until it ends or the server does.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = future => {}
            }
        });
    }

    /// How a document is to be read. What is wrong with its project's configuration is logged.
    pub(crate) fn options(self: &Arc<Self>, uri: &Uri) -> Options {
        let (options, problems) = self.workspace.options(uri, &self.settings());
        self.complain(problems);
        options
    }

    /// Tells the person about settings that are not understood.
    pub(crate) fn complain(self: &Arc<Self>, problems: Vec<String>) {
        if problems.is_empty() {
            return;
        }
        let client = self.client.clone();
        self.spawn(async move {
            for problem in problems {
                client.show_message(MessageType::WARNING, problem).await;
            }
        });
    }

    /// Reads every open document again: files around them, or the settings, changed.
    pub(crate) fn renew(self: &Arc<Self>) {
        self.workspace_words.invalidate();
        self.documents.renew(|uri| self.options(uri));
        for snapshot in self.documents.all() {
            self.diagnostics.mark(snapshot.uri.clone());
        }
        self.refresh
            .ask([Kind::Diagnostics, Kind::Lenses, Kind::Hints, Kind::Tokens]);
    }

    /// Answers a request from the document as the client has it now; `None` when it is not open. The
    /// snapshot is taken at once. Large documents are worked on by another thread; when such a document
    /// changed meanwhile the answer would be about places that have moved, so it is `ContentModified`.
    pub(crate) fn answer<T: Send + 'static>(
        self: &Arc<Self>,
        uri: &Uri,
        ask: impl FnOnce(&View) -> T + Send + 'static,
    ) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
        self.answer_from(uri, Outdated::Refused, ask)
    }

    /// The same for requests about what is being typed: the answer is from the document as it was when the request
    /// came, even when the client typed on meanwhile. Clients filter it by the letters typed since.
    pub(crate) fn answer_from_snapshot<T: Send + 'static>(
        self: &Arc<Self>,
        uri: &Uri,
        ask: impl FnOnce(&View) -> T + Send + 'static,
    ) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
        self.answer_from(uri, Outdated::Answered, ask)
    }

    fn answer_from<T: Send + 'static>(
        self: &Arc<Self>,
        uri: &Uri,
        outdated: Outdated,
        ask: impl FnOnce(&View) -> T + Send + 'static,
    ) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
        let snapshot = self.documents.get(uri);
        let session = Arc::clone(self);
        async move {
            let Some(snapshot) = snapshot else {
                return Ok(None);
            };
            if snapshot.is_small() {
                return Ok(Some(ask(&View::new(&session, &snapshot))));
            }
            let (worker, held) = (Arc::clone(&session), Arc::clone(&snapshot));
            let is_wanted = move |session: &Self, snapshot: &Arc<Snapshot>| {
                outdated == Outdated::Answered || session.documents.is_current(snapshot)
            };
            let answer = tokio::task::spawn_blocking(move || {
                // What is outdated before its turn came is not even read.
                is_wanted(&worker, &held).then(|| ask(&View::new(&worker, &held)))
            });
            let answer = answer.await.map_err(|_| Error::internal_error())?;
            if answer.is_some() && is_wanted(&session, &snapshot) {
                Ok(answer)
            } else {
                Err(Error::content_modified())
            }
        }
    }

    /// Every DOT file of the workspace: as it is open, else as it is on the disk. Reads files.
    pub(crate) fn views_of_workspace(self: &Arc<Self>) -> impl Iterator<Item = View> {
        let session = Arc::clone(self);
        let files = self.workspace.dot_files().into_iter();
        files.filter_map(move |path| match session.documents.at(&path) {
            Some(snapshot) => Some(View::new(&session, &snapshot)),
            None => session.view_of_file(&path),
        })
    }

    /// A file as it is on the disk.
    pub(crate) fn view_of_file(self: &Arc<Self>, path: &Path) -> Option<View> {
        let uri = Uri::from_file_path(path)?;
        let text = workspace::read_small(path)?;
        let options = self.options(&uri);
        let files = Around::of(&uri, &options, &self.documents);
        let document = Document::new(&text, UNOPENED, options, files.as_ref());
        Some(View::of(self, uri, Arc::new(document)))
    }

    /// Where runs of a file or a folder are kept: as on the command line, unless the client says otherwise.
    pub(crate) fn runs_dir(&self, path: &Path) -> PathBuf {
        match &self.settings().runs_dir {
            Some(wanted) => self.workspace.root_of(path).join(wanted),
            None if path.is_dir() => {
                attractor_run::runs_dir(&attractor_run::project_root_of_folder(path))
            }
            None => attractor_run::runs_dir(&attractor_run::project_root(path)),
        }
    }

    /// The client asked for the end: runs stop at a checkpoint, which takes its time elsewhere.
    pub(crate) fn shut_down(&self) {
        self.shut_down.store(true, Ordering::Relaxed);
        self.runs.stop_all();
    }

    /// Whether the client asked for the end before it left.
    pub(crate) fn was_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::Relaxed)
    }

    /// Whether the client has initialised the server and not asked for the end yet.
    pub(crate) fn is_serving(&self) -> bool {
        self.features.get().is_some() && !self.was_shut_down()
    }

    /// Stops the runs at a checkpoint, then everything else.
    pub(crate) async fn close(&self) {
        self.runs.stop_all();
        self.runs.stopped().await;
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// What a handler looks at: one version of one document, and how its client counts.
pub(crate) struct View {
    /// The session.
    pub(crate) session: Arc<Session>,
    /// The document's URI as its client writes it.
    pub(crate) uri: Uri,
    /// The document.
    pub(crate) document: Arc<Document>,
    /// The unit of columns.
    pub(crate) encoding: Encoding,
}

impl View {
    /// A view of a snapshot.
    pub(crate) fn new(session: &Arc<Session>, snapshot: &Arc<Snapshot>) -> Self {
        Self::of(session, snapshot.uri.clone(), snapshot.document())
    }

    /// A view of a document.
    pub(crate) fn of(session: &Arc<Session>, uri: Uri, document: Arc<Document>) -> Self {
        let encoding = session.features().encoding;
        Self {
            session: Arc::clone(session),
            uri,
            document,
            encoding,
        }
    }

    /// What the client can do.
    pub(crate) fn features(&self) -> &Features {
        self.session.features()
    }

    /// The client's version of the document; `None` when it is not open.
    pub(crate) fn open_version(&self) -> Option<i32> {
        Some(self.document.version).filter(|version| *version != UNOPENED)
    }

    /// The runs of the document, newest first.
    pub(crate) fn runs(&self) -> Vec<RunView> {
        views::of(self)
    }

    /// The files around the document.
    pub(crate) fn files(&self) -> Box<dyn Files> {
        Around::of(&self.uri, &self.document.options, &self.session.documents)
    }

    /// The URI of a file by its path relative to the document.
    pub(crate) fn uri_of(&self, path: &str) -> Option<Uri> {
        let own = workspace::path_of(&self.uri)?;
        Uri::from_file_path(workspace::resolve(own.parent()?, path))
    }

    /// The byte offset of a place.
    pub(crate) fn offset(&self, place: lsp_types::Position) -> usize {
        let place = from_proto::position(place);
        self.document.offset(place, self.encoding)
    }

    /// The bytes of a range.
    pub(crate) fn text_range(&self, range: lsp_types::Range) -> TextRange {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        TextRange::new(start.min(end), start.max(end))
    }

    /// The place of a byte offset.
    pub(crate) fn position(&self, offset: usize) -> lsp_types::Position {
        to_proto::position(self.document.position(offset, self.encoding))
    }

    /// The range of bytes.
    pub(crate) fn range(&self, range: TextRange) -> lsp_types::Range {
        lsp_types::Range::new(self.position(range.start()), self.position(range.end()))
    }
}
