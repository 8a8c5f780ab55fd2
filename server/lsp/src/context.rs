//! What a request works on: an immutable snapshot of one document and its runs.

use std::path::Path;
use std::sync::Arc;

use attractor_ide::document::Document;
use attractor_ide::model::Files;
use attractor_ide::position::Encoding;
use attractor_ide::runs::RunView;
use lsp_types::Uri;

use crate::capabilities::client::Features;
use crate::documents::{Documents, Snapshot};
use crate::errors::ServerError;
use crate::runs::run_record::RunRecord;
use crate::runs::run_views;
use crate::session::Session;
use crate::settings::Settings;
use crate::workspace_files::WorkspaceFiles;
use crate::{analysis, paths};

/// One version of one document, with the state of its runs and the settings at that time.
pub(crate) struct RequestContext {
    /// The document's URI as its client writes it.
    pub(crate) uri: Uri,
    /// The document.
    pub(crate) document: Arc<Document>,
    /// What the client can do.
    pub(crate) features: Arc<Features>,
    /// The settings.
    pub(crate) settings: Arc<Settings>,
    /// The byte offset where the user is typing in the document; `None` when nobody is.
    pub(crate) typing_at: Option<usize>,
    /// The open documents.
    pub(crate) documents: Arc<Documents>,
    runs: Vec<RunRecord>,
}

impl RequestContext {
    /// The context of a snapshot. Analyzes its text if that has not been done.
    pub(crate) fn new(session: &Session, snapshot: &Snapshot) -> Self {
        let typing_at = snapshot.typing_at();
        let document = analysis::document(&session.documents, snapshot);
        Self {
            typing_at,
            ..Self::of_document(session, snapshot.uri.clone(), document)
        }
    }

    /// The context of the document at a path: as the editor has it open, else as it is on the disk.
    pub(crate) fn of_file(session: &Session, path: &Path) -> Option<Self> {
        if let Some(snapshot) = session.documents.at(path) {
            return Some(Self::new(session, &snapshot));
        }
        let (uri, document) = analysis::document_on_disk(
            &session.documents,
            &session.workspace,
            &session.notifier,
            path,
        )?;
        Some(Self::of_document(session, uri, document))
    }

    fn of_document(session: &Session, uri: Uri, document: Arc<Document>) -> Self {
        let file = paths::path_of(&uri);
        Self {
            document,
            features: Arc::clone(session.notifier.features()),
            settings: session.workspace.settings(),
            typing_at: None,
            runs: file.map_or_else(Vec::new, |file| session.runs.records_of(&file)),
            documents: Arc::clone(&session.documents),
            uri,
        }
    }

    /// The unit of columns.
    pub(crate) fn encoding(&self) -> Encoding {
        self.features.encoding
    }

    /// The client's version of the document; `None` when it is not open.
    pub(crate) fn open_version(&self) -> Option<i32> {
        analysis::open_version(&self.document)
    }

    /// The runs of the document, newest first.
    pub(crate) fn runs(&self) -> Vec<RunView> {
        run_views::run_views(&self.document, &self.runs)
    }

    /// The same with their status reports, for hovers.
    pub(crate) fn runs_with_reports(&self) -> Vec<RunView> {
        run_views::run_views_with_reports(&self.document, &self.runs)
    }

    /// The files the document may refer to.
    pub(crate) fn files(&self) -> Box<dyn Files> {
        WorkspaceFiles::of(&self.uri, &self.document.options, &self.documents)
    }

    /// The URI of a file by its path relative to the document.
    pub(crate) fn uri_of(&self, path: &str) -> Option<Uri> {
        let own = paths::path_of(&self.uri)?;
        Uri::from_file_path(paths::resolve(own.parent()?, path))
    }
}

/// The context of every DOT file of the workspace. Reads files.
pub(crate) fn of_workspace(session: &Session) -> impl Iterator<Item = RequestContext> {
    let files = session.workspace.dot_files().into_iter();
    files.filter_map(|path| RequestContext::of_file(session, &path))
}

/// The context of a document: as the editor has it open, else as it is on the disk. Reads files on a blocking thread.
pub(crate) async fn load(session: &Arc<Session>, uri: &Uri) -> Result<RequestContext, ServerError> {
    let unreadable = |reason: &str| ServerError::Unreadable {
        uri: uri.as_str().to_owned(),
        reason: reason.to_owned(),
    };
    if let Some(snapshot) = session.documents.get(uri) {
        if snapshot.is_quick() {
            return Ok(RequestContext::new(session, &snapshot));
        }
        let session = Arc::clone(session);
        let context =
            tokio::task::spawn_blocking(move || RequestContext::new(&session, &snapshot)).await;
        return context.map_err(|_| ServerError::Internal);
    }
    let path = paths::path_of(uri).ok_or_else(|| unreadable("it is not a file"))?;
    let session = Arc::clone(session);
    let context =
        tokio::task::spawn_blocking(move || RequestContext::of_file(&session, &path)).await;
    context
        .ok()
        .flatten()
        .ok_or_else(|| unreadable("it is not open, and the file does not exist"))
}
