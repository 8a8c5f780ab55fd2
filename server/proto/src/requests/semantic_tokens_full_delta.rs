//! `textDocument/semanticTokens/full/delta`.

use lsp_types::request::SemanticTokensFullDeltaRequest;
use lsp_types::{
    SemanticTokensDelta, SemanticTokensDeltaParams, SemanticTokensFullDeltaResult, Uri,
};

use super::semantic_tokens_full;
use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::semantic_tokens;

/// What changed since the client last asked; everything, when the previous result is not cached.
impl DocumentRequest for SemanticTokensFullDeltaRequest {
    fn uri(params: &SemanticTokensDeltaParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>, RequestError> {
        let delta = semantic_tokens::delta(context, &params.previous_result_id);
        Ok(Some(match delta {
            Some(delta) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
                result_id: Some(delta.result_id),
                edits: delta.edits,
            }),
            None => SemanticTokensFullDeltaResult::Tokens(semantic_tokens_full::all(context)),
        }))
    }
}
