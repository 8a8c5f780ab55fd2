//! `workspace/didChangeWatchedFiles`.

use std::sync::Arc;

use lsp_types::DidChangeWatchedFilesParams;

use crate::paths;
use crate::reload::reload;
use crate::session::Session;
use crate::settings::project;

/// Reads again whatever may depend on the files: prompts, stylesheets, sub-pipelines, the configuration.
pub(crate) fn handle(session: &Arc<Session>, params: &DidChangeWatchedFilesParams) {
    let configuration = |path: std::path::PathBuf| path.ends_with(project::PATH);
    if params
        .changes
        .iter()
        .filter_map(|change| paths::path_of(&change.uri))
        .any(configuration)
    {
        session.workspace.clear_projects();
    }
    reload(session);
}
