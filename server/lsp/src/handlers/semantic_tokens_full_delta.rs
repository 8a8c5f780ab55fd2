//! `textDocument/semanticTokens/full/delta`.

use std::sync::Arc;

use lsp_types::{
    SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams, SemanticTokensFullDeltaResult,
};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::tokens;

/// What changed since the client last asked; everything, when the server does not remember.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let find = move |view: &View| {
        let known = view
            .session
            .packings
            .get(&view.uri, &params.previous_result_id);
        let data = tokens::pack(view, None);
        let result_id = Some(view.session.packings.keep(&view.uri, data.clone()));
        match known {
            Some(old) => {
                let edits = tokens::difference(&old, &data);
                SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits })
            }
            None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data }),
        }
    };
    session.answer(&params.text_document.uri, find).await
}
