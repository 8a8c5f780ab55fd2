//! `textDocument/semanticTokens/full`.

use lsp_types::request::SemanticTokensFullRequest;
use lsp_types::{SemanticTokens, SemanticTokensParams, SemanticTokensResult, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;

use crate::semantic_tokens;

/// Every token of a document, as JSON.
impl DocumentRequest for SemanticTokensFullRequest {
    fn uri(params: &SemanticTokensParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        _: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>, RequestError> {
        Ok(Some(SemanticTokensResult::Tokens(all(context))))
    }
}

/// Every token, cached for the next delta.
pub(crate) fn all(context: &RequestContext) -> SemanticTokens {
    let (result_id, data) = semantic_tokens::full(context);
    SemanticTokens {
        result_id: Some(result_id),
        data,
    }
}
