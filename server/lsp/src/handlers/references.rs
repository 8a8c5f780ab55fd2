//! `textDocument/references`.

use std::sync::Arc;

use attractor_ide::references::{self, Declarations};
use lsp_types::{Location, ReferenceParams};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// Every place that names what is at the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>> {
    let at = params.text_document_position;
    let declarations = if params.context.include_declaration {
        Declarations::Include
    } else {
        Declarations::Exclude
    };
    let find = move |view: &View| {
        let found = references::references(&view.document, view.offset(at.position), declarations);
        found
            .into_iter()
            .map(|range| Location::new(view.uri.clone(), view.range(range)))
            .collect()
    };
    session.answer(&at.text_document.uri.clone(), find).await
}
