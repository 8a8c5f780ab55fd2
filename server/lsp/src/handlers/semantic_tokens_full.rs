//! `textDocument/semanticTokens/full`.

use std::sync::Arc;

use lsp_types::{SemanticTokens, SemanticTokensParams, SemanticTokensResult};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::semantic_tokens_cache::SemanticTokensCache;
use crate::session::Session;
use crate::{request, semantic_tokens};

/// Every token of a document, as JSON.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensParams,
) -> Result<Vec<u8>> {
    let cache = Arc::clone(&session.semantic_tokens);
    let find = move |context: &RequestContext| SemanticTokensResult::Tokens(all(&cache, context));
    request::answer_json(session, &params.text_document.uri, find).await
}

/// Every token, cached for the next delta.
pub(crate) fn all(cache: &SemanticTokensCache, context: &RequestContext) -> SemanticTokens {
    let (result_id, data) = semantic_tokens::full(cache, context);
    SemanticTokens {
        result_id: Some(result_id),
        data,
    }
}
