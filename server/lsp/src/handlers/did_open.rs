//! `textDocument/didOpen`.

use std::sync::Arc;

use lsp_types::DidOpenTextDocumentParams;

use crate::runs::past::Past;
use crate::session::Session;
use crate::workspace;

/// Opens the document. Done before the next message is looked at.
pub(crate) fn handle(session: &Arc<Session>, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    let options = session.options(&document.uri);
    session.documents.open(
        document.uri.clone(),
        document.version,
        &document.text,
        options,
    );
    if let Some(file) = workspace::path_of(&document.uri) {
        Past::look_first(session, &file);
    }
    session.diagnostics.mark(document.uri);
}
