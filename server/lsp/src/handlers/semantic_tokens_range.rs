//! `textDocument/semanticTokens/range`.

use std::sync::Arc;

use lsp_types::{SemanticTokens, SemanticTokensRangeParams, SemanticTokensRangeResult};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, semantic_tokens};

/// The tokens of the part of a document that is on the screen.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let range = params.range;
    let find = move |context: &RequestContext| {
        let data = semantic_tokens::range(context, from_proto::text_range(context, range));
        SemanticTokensRangeResult::Tokens(SemanticTokens {
            result_id: None,
            data,
        })
    };
    request::answer(session, &params.text_document.uri, find).await
}
