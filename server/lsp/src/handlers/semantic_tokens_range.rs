//! `textDocument/semanticTokens/range`.

use std::sync::Arc;

use lsp_types::{SemanticTokens, SemanticTokensRangeParams, SemanticTokensRangeResult};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::tokens;

/// The tokens of the part of a document that is on the screen.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let range = params.range;
    let find = move |view: &View| {
        let data = tokens::part(view, view.text_range(range));
        SemanticTokensRangeResult::Tokens(SemanticTokens {
            result_id: None,
            data,
        })
    };
    session.answer(&params.text_document.uri, find).await
}
