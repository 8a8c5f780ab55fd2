//! `textDocument/onTypeFormatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::{DocumentOnTypeFormattingParams, TextEdit};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::{layout, to_proto};

/// The characters that bring something into its layout, the first one and the others.
pub(crate) const TRIGGERS: (&str, [&str; 3]) = ("}", ["]", ";", "\n"]);

/// What the typed character ends, in its layout.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let at = params.text_document_position;
    let Some(typed) = params.ch.chars().next() else {
        return Ok(None);
    };
    let find = move |view: &View| {
        let options = layout::options(view, &params.options);
        let offset = view.offset(at.position);
        to_proto::edits(
            view,
            &format::on_type(&view.document.text, offset, typed, &options),
        )
    };
    session.answer(&at.text_document.uri.clone(), find).await
}
