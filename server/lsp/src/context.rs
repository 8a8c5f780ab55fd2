//! The context of a request: a snapshot of one document with its runs, and what the session knows besides.

use std::path::Path;
use std::sync::Arc;

use attractor_config::format::FormatSettings;
use attractor_ide::diagnostics::typing::ReportedDiagnostics;
use attractor_ide::document::Document;
use attractor_ide::model::Files;
use attractor_ide::runs::RunView;
use attractor_ide::workspace_words::WorkspaceWords;
use attractor_proto::{Host, RequestContext, RequestError, SemanticTokensCache};
use lsp_types::Uri;

use crate::documents::{Documents, Snapshot};
use crate::errors::ServerError;
use crate::runs::run_record::RunRecord;
use crate::runs::run_views;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::workspace_files::WorkspaceFiles;
use crate::{analysis, paths};

/// What the session knows of one document.
struct SessionHost {
    uri: Uri,
    document: Arc<Document>,
    documents: Arc<Documents>,
    workspace: Arc<Workspace>,
    words: Arc<WorkspaceWords>,
    semantic_tokens: Arc<SemanticTokensCache>,
    runs: Vec<RunRecord>,
}

impl Host for SessionHost {
    fn files(&self) -> Box<dyn Files> {
        WorkspaceFiles::of(&self.uri, &self.document.options, &self.documents)
    }

    fn words(&self) -> Arc<WorkspaceWords> {
        Arc::clone(&self.words)
    }

    fn reported(&self) -> Arc<ReportedDiagnostics> {
        self.documents.reported(&self.uri)
    }

    fn set_reported(&self, reported: ReportedDiagnostics) {
        self.documents.set_reported(&self.uri, reported);
    }

    fn semantic_tokens(&self) -> &SemanticTokensCache {
        &self.semantic_tokens
    }

    fn project_format(&self) -> FormatSettings {
        self.workspace.format(&self.uri)
    }

    fn runs(&self, document: &Document) -> Vec<RunView> {
        run_views::run_views(document, &self.runs)
    }

    fn runs_with_reports(&self, document: &Document) -> Vec<RunView> {
        run_views::run_views_with_reports(document, &self.runs)
    }
}

/// The context of a snapshot. Analyzes its text if that has not been done.
pub(crate) fn of_snapshot(session: &Session, snapshot: &Snapshot) -> RequestContext {
    let typing_at = snapshot.typing_at();
    let document = analysis::document(&session.documents, snapshot);
    RequestContext {
        typing_at,
        ..of_document(session, snapshot.uri.clone(), document)
    }
}

/// The context of the document at a path: as the editor has it open, else as it is on the disk.
pub(crate) fn of_file(session: &Session, path: &Path) -> Option<RequestContext> {
    if let Some(snapshot) = session.documents.at(path) {
        return Some(of_snapshot(session, &snapshot));
    }
    let (uri, document) = analysis::document_on_disk(
        &session.documents,
        &session.workspace,
        &session.notifier,
        path,
    )?;
    Some(of_document(session, uri, document))
}

fn of_document(session: &Session, uri: Uri, document: Arc<Document>) -> RequestContext {
    let file = paths::path_of(&uri);
    let host = SessionHost {
        uri: uri.clone(),
        document: Arc::clone(&document),
        documents: Arc::clone(&session.documents),
        workspace: Arc::clone(&session.workspace),
        words: session.workspace_words.current(),
        semantic_tokens: Arc::clone(&session.semantic_tokens),
        runs: file.map_or_else(Vec::new, |file| session.runs.records_of(&file)),
    };
    RequestContext {
        uri,
        document,
        features: Arc::clone(session.notifier.features()),
        settings: Arc::clone(&session.workspace.settings().language),
        typing_at: None,
        host: Box::new(host),
    }
}

impl attractor_proto::Workspace for Session {
    fn contexts(&self) -> Box<dyn Iterator<Item = RequestContext> + '_> {
        let files = self.workspace.dot_files().into_iter();
        Box::new(files.filter_map(|path| of_file(self, &path)))
    }

    fn at(&self, path: &Path) -> Option<RequestContext> {
        of_file(self, path)
    }
}

/// The context of a document: as the editor has it open, else as it is on the disk. Reads files on a blocking thread.
pub(crate) async fn load(session: &Arc<Session>, uri: &Uri) -> Result<RequestContext, ServerError> {
    let unreadable = |reason: &str| RequestError::Unreadable {
        uri: uri.as_str().to_owned(),
        reason: reason.to_owned(),
    };
    if let Some(snapshot) = session.documents.get(uri) {
        if snapshot.is_quick() {
            return Ok(of_snapshot(session, &snapshot));
        }
        let session = Arc::clone(session);
        let context = tokio::task::spawn_blocking(move || of_snapshot(&session, &snapshot)).await;
        return Ok(context.map_err(|_| RequestError::Internal)?);
    }
    let path = paths::path_of(uri).ok_or_else(|| unreadable("it is not a file"))?;
    let session = Arc::clone(session);
    let context = tokio::task::spawn_blocking(move || of_file(&session, &path)).await;
    let context = context.ok().flatten();
    Ok(context.ok_or_else(|| unreadable("it is not open, and the file does not exist"))?)
}
