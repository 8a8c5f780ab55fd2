//! `textDocument/didChange`.

use std::sync::Arc;

use lsp_types::DidChangeTextDocumentParams;

use crate::diagnostics::settle;
use crate::scenarios;
use crate::session::Session;
use attractor_proto::from_proto;

/// Applies the changes. Done before the next message is looked at.
pub(crate) fn handle(session: &Arc<Session>, params: DidChangeTextDocumentParams) {
    let document = params.text_document;
    let changes = params.content_changes.into_iter().map(from_proto::change);
    let encoding = session.notifier.features().encoding;
    let is_scenario_file = scenarios::is_scenario_file(&document.uri);
    let documents = if is_scenario_file {
        &session.scenario_documents
    } else {
        &session.documents
    };
    if documents.change(&document.uri, document.version, changes, encoding) {
        session.notifier.diagnostics.enqueue(document.uri.clone());
        if !is_scenario_file {
            settle::schedule(session, document.uri, document.version);
            scenarios::enqueue_all(session);
        }
    } else {
        tracing::warn!(
            uri = document.uri.as_str(),
            "ignored a change of a document that is not open"
        );
    }
}
