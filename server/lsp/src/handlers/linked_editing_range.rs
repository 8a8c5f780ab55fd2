//! `textDocument/linkedEditingRange`.

use std::sync::Arc;

use attractor_ide::linked_editing;
use lsp_types::{LinkedEditingRangeParams, LinkedEditingRanges};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// The places that change together with the one under the cursor.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: LinkedEditingRangeParams,
) -> Result<Option<LinkedEditingRanges>> {
    let at = params.text_document_position_params;
    let find = move |view: &View| {
        let found = linked_editing::ranges(&view.document, view.offset(at.position))?;
        let ranges = found.into_iter().map(|range| view.range(range)).collect();
        Some(LinkedEditingRanges {
            ranges,
            word_pattern: None,
        })
    };
    Ok(session
        .answer(&at.text_document.uri.clone(), find)
        .await?
        .flatten())
}
