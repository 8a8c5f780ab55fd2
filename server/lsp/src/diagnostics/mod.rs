//! Diagnostics of a document: of its text, and of its runs.

pub(crate) mod publish;
pub(crate) mod queue;
pub(crate) mod settle;

use attractor_ide::diagnostics;
use attractor_ide::diagnostics::typing::{ReportedDiagnostics, while_typing};
use lsp_types::Diagnostic;

use crate::context::RequestContext;
use crate::to_proto;

/// Every diagnostic of a document.
pub(crate) fn all(context: &RequestContext) -> Vec<Diagnostic> {
    to_proto(
        context,
        &diagnostics::diagnostics(&context.document, &context.runs()),
    )
}

/// The diagnostics of a document that are shown: all of them, but while the user types those worth an interruption.
pub(crate) fn shown(context: &RequestContext) -> Vec<Diagnostic> {
    let (document, documents) = (&context.document, &context.documents);
    let mut found = diagnostics::diagnostics(document, &context.runs());
    match context.typing_at {
        Some(offset) => {
            found = while_typing(document, found, offset, &documents.reported(&context.uri));
        }
        None => documents.set_reported(&context.uri, ReportedDiagnostics::new(document, &found)),
    }
    to_proto(context, &found)
}

fn to_proto(context: &RequestContext, found: &[diagnostics::Diagnostic]) -> Vec<Diagnostic> {
    found
        .iter()
        .map(|diagnostic| to_proto::diagnostic(context, diagnostic))
        .collect()
}
