//! `workspace/diagnostic`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use lsp_types::{
    Diagnostic, FullDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};
use tower_lsp::jsonrpc::{Error, Result};

use crate::paths;
use crate::session::Session;
use attractor_proto::Workspace as _;
use attractor_proto::diagnostics::{self, result_id};
use attractor_proto::sync::lock;

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
        let mut reports = Vec::new();
        let mut found = HashSet::new();
        for context in session.contexts() {
            found.insert(context.uri.as_str().to_owned());
            let items = diagnostics::all(&context);
            let version = context.open_version().map(i64::from);
            reports.push(report(&known, context.uri.clone(), version, items));
        }
        // What was reported of a file that is gone is taken back.
        let reported: HashSet<String> = {
            let mut pulled = lock(&session.pulled);
            let gone = pulled
                .extract_if(|uri| uri.parse::<Uri>().is_ok_and(|uri| is_gone(&session, &uri)));
            gone.chain(known.keys().cloned()).collect()
        };
        let gone = reported.iter().filter(|uri| !found.contains(*uri));
        let gone = gone.filter_map(|uri| uri.parse::<Uri>().ok());
        let gone = gone.filter(|uri| is_gone(&session, uri));
        reports.extend(gone.map(|uri| report(&known, uri, None, Vec::new())));
        reports
    };
    let items = tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| Error::internal_error())?;
    Ok(WorkspaceDiagnosticReportResult::Report(
        WorkspaceDiagnosticReport { items },
    ))
}

/// Whether there is no such file any more. Other files, such as those of a folder that was left, are not ours to report on.
fn is_gone(session: &Session, uri: &Uri) -> bool {
    let is_open = session.documents.get(uri).is_some();
    !is_open && paths::path_of(uri).is_some_and(|path| !path.exists())
}

fn report(
    known: &HashMap<String, String>,
    uri: Uri,
    version: Option<i64>,
    items: Vec<Diagnostic>,
) -> WorkspaceDocumentDiagnosticReport {
    let result_id = result_id(&items);
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
