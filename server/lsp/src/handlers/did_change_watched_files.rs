//! `workspace/didChangeWatchedFiles`.

use std::sync::Arc;

use lsp_types::DidChangeWatchedFilesParams;

use crate::paths;
use crate::reload::reload;
use crate::session::Session;

/// Reads again whatever may depend on the files: prompts, stylesheets, sub-pipelines, the configuration.
pub(crate) fn handle(session: &Arc<Session>, params: &DidChangeWatchedFilesParams) {
    if params
        .changes
        .iter()
        .filter_map(|change| paths::path_of(&change.uri))
        .any(|path| session.workspace.is_configuration(&path))
    {
        session.workspace.clear_configurations();
    }
    reload(session);
}
