//! `textDocument/completion`: in a pipeline, or in a scenario file. Answered from the snapshot the request met, never with
//! `ContentModified`: a user who types on still wants the list.

use std::sync::Arc;

use lsp_types::request::Completion;
use lsp_types::{CompletionParams, CompletionResponse};
use tower_lsp::jsonrpc::Result;

use crate::session::Session;
use crate::{request, scenarios};

/// The completions at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: CompletionParams,
) -> Result<Option<CompletionResponse>> {
    let at = params.text_document_position.clone();
    let uri = &at.text_document.uri;
    let in_scenarios = request::answer_scenarios(session, uri, move |session, snapshot| {
        scenarios::completion::at(session, snapshot, at.position)
    });
    let in_pipeline = request::answer_from_snapshot::<Completion>(session, params);
    match in_scenarios.await? {
        Some(list) => Ok(Some(CompletionResponse::List(list))),
        None => in_pipeline.await,
    }
}
