//! `textDocument/formatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::{DocumentFormattingParams, TextEdit};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::{layout, to_proto};

/// The whole document in its layout; its meaning stays.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let find = move |view: &View| {
        let options = layout::options(view, &params.options);
        to_proto::edits(view, &format::edits(&view.document.text, &options))
    };
    session.answer(&params.text_document.uri, find).await
}
