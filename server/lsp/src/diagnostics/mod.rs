//! Diagnostics of a document: of its text, and of its runs.

pub(crate) mod publish;
pub(crate) mod queue;

use attractor_ide::diagnostics;
use lsp_types::Diagnostic;

use crate::context::RequestContext;
use crate::to_proto;

/// Every diagnostic of a document.
pub(crate) fn of(context: &RequestContext) -> Vec<Diagnostic> {
    let diagnostics = diagnostics::diagnostics(&context.document, &context.runs());
    diagnostics
        .iter()
        .map(|diagnostic| to_proto::diagnostic(context, diagnostic))
        .collect()
}
