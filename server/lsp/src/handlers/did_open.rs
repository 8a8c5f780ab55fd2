//! `textDocument/didOpen`.

use std::sync::Arc;

use attractor_ide::model::Options;
use lsp_types::DidOpenTextDocumentParams;

use crate::runs::{remote_connection, resume_prompt};
use crate::session::Session;
use crate::{analysis, paths, scenarios};

/// Opens the document. Done before the next message is looked at.
pub(crate) fn handle(session: &Arc<Session>, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    if scenarios::is_scenario_file(&document.uri) {
        session.scenario_documents.open(
            document.uri.clone(),
            document.version,
            &document.text,
            Options::default(),
        );
        session.notifier.diagnostics.enqueue(document.uri);
        return;
    }
    let options = analysis::options(&session.workspace, &session.notifier, &document.uri);
    session.documents.open(
        document.uri.clone(),
        document.version,
        &document.text,
        options,
    );
    if let Some(file) = paths::path_of(&document.uri) {
        resume_prompt::refresh_and_prompt(session, &file);
    }
    remote_connection::attach(session, &document.uri);
    session.notifier.diagnostics.enqueue(document.uri);
    scenarios::enqueue_all(session);
}
