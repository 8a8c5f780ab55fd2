//! `textDocument/didSave`.

use std::sync::Arc;

use lsp_types::DidSaveTextDocumentParams;

use crate::paths;
use crate::reload::reload;
use crate::session::Session;

/// What waited while the user typed is reported. Other documents may depend on what was saved: a prompt, a stylesheet, a sub-pipeline, the project's
/// configuration. For clients that watch no files this is the only sign.
pub(crate) fn handle(session: &Arc<Session>, params: &DidSaveTextDocumentParams) {
    session.documents.settle(&params.text_document.uri, None);
    let Some(path) = paths::path_of(&params.text_document.uri) else {
        return;
    };
    if session.workspace.is_configuration(&path) {
        session.workspace.clear_configurations();
    }
    reload(session);
}
