//! `workspace/diagnostic`.

use std::collections::HashMap;
use std::sync::Arc;

use lsp_types::{
    FullDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};
use tower_lsp::jsonrpc::{Error, Result};

use super::diagnostic::result_id;
use crate::context;
use crate::context::RequestContext;
use crate::diagnostics;
use crate::session::Session;

/// Reports on every DOT file of the workspace, open or not. Files are read off the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult> {
    let session = Arc::clone(session);
    let known: HashMap<String, String> = params
        .previous_result_ids
        .into_iter()
        .map(|previous| (previous.uri.as_str().to_owned(), previous.value))
        .collect();
    let find = move || {
        context::of_workspace(&session)
            .map(|context| report(&known, &context))
            .collect()
    };
    let items = tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| Error::internal_error())?;
    Ok(WorkspaceDiagnosticReportResult::Report(
        WorkspaceDiagnosticReport { items },
    ))
}

fn report(
    known: &HashMap<String, String>,
    context: &RequestContext,
) -> WorkspaceDocumentDiagnosticReport {
    let items = diagnostics::of(context);
    let result_id = result_id(&items);
    let uri = context.uri.clone();
    let version = context.open_version().map(i64::from);
    if known.get(uri.as_str()) == Some(&result_id) {
        return WorkspaceDocumentDiagnosticReport::Unchanged(
            WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                    result_id,
                },
            },
        );
    }
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version,
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(result_id),
            items,
        },
    })
}
