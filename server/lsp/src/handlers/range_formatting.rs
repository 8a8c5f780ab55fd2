//! `textDocument/rangeFormatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::{DocumentRangeFormattingParams, TextEdit};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};
use crate::{layout, to_proto};

/// A range as it stands when the whole document is formatted.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let find = move |view: &View| {
        let options = layout::options(view, &params.options);
        to_proto::edits(
            view,
            &format::range(&view.document.text, view.text_range(params.range), &options),
        )
    };
    session.answer(&params.text_document.uri, find).await
}
