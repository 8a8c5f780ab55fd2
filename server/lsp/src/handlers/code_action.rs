//! `textDocument/codeAction`: of a pipeline, or of a scenario file.

use std::sync::Arc;

use lsp_types::request::CodeActionRequest;
use lsp_types::{CodeActionOrCommand, CodeActionParams};
use tower_lsp::jsonrpc::Result;

use crate::session::Session;
use crate::{request, scenarios};

/// Fixes, rewrites, and what lenses do for clients that have none.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: CodeActionParams,
) -> Result<Option<Vec<CodeActionOrCommand>>> {
    let uri = params.text_document.uri.clone();
    let of_scenarios = params.clone();
    let in_scenarios = request::answer_scenarios(session, &uri, move |session, snapshot| {
        scenarios::code_action::of(session, snapshot, &of_scenarios)
    });
    let in_pipeline = request::answer::<CodeActionRequest>(session, params);
    match in_scenarios.await? {
        Some(actions) => Ok(Some(actions)),
        None => in_pipeline.await,
    }
}
