//! `textDocument/semanticTokens/full`.

use std::sync::Arc;

use lsp_types::{SemanticTokens, SemanticTokensParams, SemanticTokensResult};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::tokens;

/// Every token of a document.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokensResult>> {
    let find = |view: &View| {
        let data = tokens::pack(view, None);
        let name = view.session.packings.keep(&view.uri, data.clone());
        SemanticTokensResult::Tokens(SemanticTokens {
            result_id: Some(name),
            data,
        })
    };
    session.answer(&params.text_document.uri, find).await
}
