//! `textDocument/semanticTokens/full/delta`.

use std::sync::Arc;

use lsp_types::{SemanticTokensDelta, SemanticTokensDeltaParams, SemanticTokensFullDeltaResult};
use tower_lsp::jsonrpc::Result;

use super::semantic_tokens_full;
use crate::context::RequestContext;
use crate::session::Session;
use crate::{request, semantic_tokens};

/// What changed since the client last asked; everything, when the previous result is not cached.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let cache = Arc::clone(&session.semantic_tokens);
    let find = move |context: &RequestContext| {
        let delta = semantic_tokens::delta(&cache, context, &params.previous_result_id);
        match delta {
            Some(delta) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                result_id: Some(delta.result_id),
                edits: delta.edits,
            }),
            None => {
                SemanticTokensFullDeltaResult::Tokens(semantic_tokens_full::all(&cache, context))
            }
        }
    };
    request::answer(session, &params.text_document.uri, find).await
}
