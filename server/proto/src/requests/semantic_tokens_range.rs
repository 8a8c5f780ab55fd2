//! `textDocument/semanticTokens/range`.

use lsp_types::request::SemanticTokensRangeRequest;
use lsp_types::{SemanticTokens, SemanticTokensRangeParams, SemanticTokensRangeResult, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, semantic_tokens};

/// The tokens of the part of a document that is on the screen.
impl DocumentRequest for SemanticTokensRangeRequest {
    fn uri(params: &SemanticTokensRangeParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>, RequestError> {
        let range = from_proto::text_range(context, params.range);
        Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens {
            result_id: None,
            data: semantic_tokens::range(context, range),
        })))
    }
}
