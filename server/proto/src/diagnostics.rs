//! Diagnostics of a document: of its text, and of its runs.

use std::hash::{Hash as _, Hasher as _};

use attractor_ide::diagnostics;
use attractor_ide::diagnostics::typing::{ReportedDiagnostics, while_typing};
use lsp_types::{
    Diagnostic, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};

use crate::context::RequestContext;
use crate::to_proto;

/// Every diagnostic of a document.
pub fn all(context: &RequestContext) -> Vec<Diagnostic> {
    let found = diagnostics::diagnostics(&context.document, &context.runs());
    convert(context, &found)
}

/// The diagnostics of a document that are shown: all of them, but while the user types those worth an interruption.
pub fn shown(context: &RequestContext) -> Vec<Diagnostic> {
    let (document, host) = (&context.document, &context.host);
    let mut found = diagnostics::diagnostics(document, &context.runs());
    match context.typing_at {
        Some(offset) => found = while_typing(document, found, offset, &host.reported()),
        None => host.set_reported(ReportedDiagnostics::new(document, &found)),
    }
    convert(context, &found)
}

/// The answer to `textDocument/diagnostic`: the diagnostics, or that they are those of the previous answer.
pub fn report(items: Vec<Diagnostic>, previous: Option<&String>) -> DocumentDiagnosticReport {
    let result_id = result_id(&items);
    if previous == Some(&result_id) {
        return DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        });
    }
    DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(result_id),
            items,
        },
    })
}

/// A name for these very diagnostics: equal ones have equal names.
pub fn result_id(items: &[Diagnostic]) -> String {
    let mut hash = rustc_hash::FxHasher::default();
    serde_json::to_string(items)
        .unwrap_or_default()
        .hash(&mut hash);
    format!("{:x}", hash.finish())
}

fn convert(context: &RequestContext, found: &[diagnostics::Diagnostic]) -> Vec<Diagnostic> {
    found
        .iter()
        .map(|diagnostic| to_proto::diagnostic(context, diagnostic))
        .collect()
}
