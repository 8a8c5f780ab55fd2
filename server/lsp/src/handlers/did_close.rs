//! `textDocument/didClose`.

use std::sync::Arc;

use lsp_types::DidCloseTextDocumentParams;

use crate::session::Session;

/// Forgets the document; what was published about it is taken back.
pub(crate) fn handle(session: &Arc<Session>, params: DidCloseTextDocumentParams) {
    let uri = params.text_document.uri;
    session.documents.close(&uri);
    session.scenario_documents.close(&uri);
    session.semantic_tokens.remove(&uri);
    session.notifier.diagnostics.enqueue(uri);
}
