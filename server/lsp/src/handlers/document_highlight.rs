//! `textDocument/documentHighlight`.

use std::sync::Arc;

use attractor_ide::references::{self, Access};
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// Every place of this document that names what is at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let at = params.text_document_position_params;
    let find = move |view: &View| {
        let found = references::highlights(&view.document, view.offset(at.position)).into_iter();
        found
            .map(|highlight| DocumentHighlight {
                range: view.range(highlight.range),
                kind: Some(match highlight.access {
                    Access::Write => DocumentHighlightKind::WRITE,
                    Access::Read => DocumentHighlightKind::READ,
                }),
            })
            .collect()
    };
    session.answer(&at.text_document.uri.clone(), find).await
}
