//! `textDocument/semanticTokens/full/delta`.

use std::sync::Arc;

use lsp_types::{SemanticTokensDelta, SemanticTokensDeltaParams, SemanticTokensFullDeltaResult};
use tower_lsp::jsonrpc::Result;

use super::semantic_tokens_full;
use crate::session::{Session, View};

/// What changed since the client last asked; everything, when the server does not remember.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let find = move |view: &View| {
        let packings = &view.session.packings;
        match packings.delta(view, &params.previous_result_id) {
            Some(delta) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                result_id: Some(delta.name),
                edits: delta.edits,
            }),
            None => SemanticTokensFullDeltaResult::Tokens(semantic_tokens_full::all(view)),
        }
    };
    session.answer(&params.text_document.uri, find).await
}
