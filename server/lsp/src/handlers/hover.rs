//! `textDocument/hover`.

use std::sync::Arc;

use attractor_ide::hover;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// What is at the cursor, in words.
pub(crate) async fn handle(session: &Arc<Session>, params: HoverParams) -> Result<Option<Hover>> {
    let at = params.text_document_position_params;
    let find = move |view: &View| {
        let found = hover::hover(&view.document, view.offset(at.position), &view.runs())?;
        let contents = MarkupContent {
            kind: MarkupKind::Markdown,
            value: found.markdown,
        };
        Some(Hover {
            contents: HoverContents::Markup(contents),
            range: Some(view.range(found.range)),
        })
    };
    Ok(session
        .answer(&at.text_document.uri.clone(), find)
        .await?
        .flatten())
}
