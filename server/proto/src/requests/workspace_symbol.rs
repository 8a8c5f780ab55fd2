//! `workspace/symbol`.

use attractor_ide::document_symbol::matches;
use lsp_types::{SymbolInformation, WorkspaceSymbolResponse};

use super::document_symbol;
use crate::context::Workspace;

/// The number of symbols a response contains at most.
const MAX_SYMBOLS: usize = 1_000;

/// Graphs and nodes of the whole workspace whose names match.
pub fn workspace_symbols(workspace: &dyn Workspace, query: &str) -> WorkspaceSymbolResponse {
    let found = workspace
        .contexts()
        .flat_map(|context| document_symbol::flat(&context));
    let found = found.filter(|symbol: &SymbolInformation| matches(query, &symbol.name));
    WorkspaceSymbolResponse::Flat(found.take(MAX_SYMBOLS).collect())
}
