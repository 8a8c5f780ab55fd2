//! `textDocument/semanticTokens/full`.

use std::sync::Arc;

use lsp_types::{SemanticTokens, SemanticTokensParams, SemanticTokensResult};
use tower_lsp::jsonrpc::{Error, Result};

use crate::session::{Session, View};

/// Every token of a document, as JSON.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensParams,
) -> Result<Vec<u8>> {
    let find = |view: &View| serde_json::to_vec(&SemanticTokensResult::Tokens(all(view)));
    match session.answer(&params.text_document.uri, find).await? {
        Some(json) => json.map_err(|_| Error::internal_error()),
        None => Ok(b"null".to_vec()),
    }
}

/// Every token, to be kept for differences.
pub(crate) fn all(view: &View) -> SemanticTokens {
    let (name, data) = view.session.packings.all(view);
    SemanticTokens {
        result_id: Some(name),
        data,
    }
}
