//! `textDocument/didSave`.

use std::sync::Arc;

use lsp_types::DidSaveTextDocumentParams;

use crate::session::Session;
use crate::settings::project;
use crate::workspace;

/// Other documents may depend on what was saved: a prompt, a stylesheet, a sub-pipeline, the project's
/// configuration. For clients that watch no files this is the only sign.
pub(crate) fn handle(session: &Arc<Session>, params: &DidSaveTextDocumentParams) {
    let Some(path) = workspace::path_of(&params.text_document.uri) else {
        return;
    };
    if path.ends_with(project::PATH) {
        session.workspace.forget_projects();
    }
    session.renew();
}
