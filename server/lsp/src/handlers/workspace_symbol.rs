//! `workspace/symbol`.

use std::sync::Arc;

use attractor_ide::document_symbol::matches;
use lsp_types::{SymbolInformation, WorkspaceSymbolParams, WorkspaceSymbolResponse};
use tower_lsp::jsonrpc::{Error, Result};

use super::document_symbol;
use crate::context;
use crate::session::Session;

/// The number of symbols a response contains at most.
const MAX_SYMBOLS: usize = 1_000;

/// Graphs and nodes of the whole workspace whose names match. Files are read off the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>> {
    let session = Arc::clone(session);
    let find = move || -> Vec<SymbolInformation> {
        let views = context::of_workspace(&session);
        let found = views.flat_map(|context| document_symbol::flat(&context));
        found
            .filter(|symbol| matches(&params.query, &symbol.name))
            .take(MAX_SYMBOLS)
            .collect()
    };
    let found = tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| Error::internal_error())?;
    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
}
