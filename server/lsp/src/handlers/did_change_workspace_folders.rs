//! `workspace/didChangeWorkspaceFolders`.

use std::sync::Arc;

use lsp_types::{DidChangeWorkspaceFoldersParams, WorkspaceFolder};

use crate::paths;
use crate::reload::reload;
use crate::session::Session;

/// Adds and removes folders; which project a document belongs to may change.
pub(crate) fn handle(session: &Arc<Session>, params: DidChangeWorkspaceFoldersParams) {
    let paths = |folders: Vec<WorkspaceFolder>| -> Vec<_> {
        folders
            .iter()
            .filter_map(|folder| paths::path_of(&folder.uri))
            .collect()
    };
    let (added, removed) = (paths(params.event.added), paths(params.event.removed));
    session.workspace.change_folders(added, &removed);
    reload(session);
}
