//! `workspace/symbol`.

use std::sync::Arc;

use attractor_proto::requests::workspace_symbols;
use lsp_types::{WorkspaceSymbolParams, WorkspaceSymbolResponse};
use tower_lsp::jsonrpc::{Error, Result};

use crate::session::Session;

/// Graphs and nodes of the whole workspace whose names match. Files are read off the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>> {
    let session = Arc::clone(session);
    let find = move || workspace_symbols(session.as_ref(), &params.query);
    let found = tokio::task::spawn_blocking(find).await;
    found.map(Some).map_err(|_| Error::internal_error())
}
