//! `textDocument/diagnostic`.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use lsp_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport,
};
use tower_lsp::jsonrpc::Result;

use crate::session::Session;
use crate::sync::lock;
use crate::{diagnostics, request, scenarios};

/// Reports the diagnostics of a document, or that they are the same as last time.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let uri = &params.text_document.uri;
    let of_scenarios = request::answer_scenarios(session, uri, scenarios::diagnostics::of);
    let of_pipelines = request::answer(session, uri, diagnostics::shown);
    let items = match of_scenarios.await? {
        Some(items) => items,
        None => of_pipelines.await?.unwrap_or_default(),
    };
    if !items.is_empty() {
        lock(&session.pulled).insert(uri.as_str().to_owned());
    }
    let result_id = result_id(&items);
    let report = if params.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items,
            },
        })
    };
    Ok(report.into())
}

/// A name for these very diagnostics: equal ones have equal names.
pub(crate) fn result_id(items: &[Diagnostic]) -> String {
    let mut hash = rustc_hash::FxHasher::default();
    serde_json::to_string(items)
        .unwrap_or_default()
        .hash(&mut hash);
    format!("{:x}", hash.finish())
}
