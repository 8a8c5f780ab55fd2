//! `textDocument/diagnostic`.

use std::sync::Arc;

use attractor_proto::diagnostics;
use lsp_types::{DocumentDiagnosticParams, DocumentDiagnosticReportResult};
use tower_lsp::jsonrpc::Result;

use crate::session::Session;
use crate::{request, scenarios};
use attractor_proto::sync::lock;

/// Reports the diagnostics of a document, or that they are the same as last time.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let uri = &params.text_document.uri;
    let of_scenarios = request::answer_scenarios(session, uri, scenarios::diagnostics::of);
    let of_pipelines = request::answer_of(session, uri, |context| Ok(diagnostics::shown(context)));
    let items = match of_scenarios.await? {
        Some(items) => items,
        None => of_pipelines.await?.unwrap_or_default(),
    };
    if !items.is_empty() {
        lock(&session.pulled).insert(uri.as_str().to_owned());
    }
    Ok(diagnostics::report(items, params.previous_result_id.as_ref()).into())
}
