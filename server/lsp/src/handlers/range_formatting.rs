//! `textDocument/rangeFormatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::{DocumentRangeFormattingParams, TextEdit};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{format_options, from_proto, request, to_proto};

/// The edits of the whole document that are in a range.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let workspace = Arc::clone(&session.workspace);
    let find = move |context: &RequestContext| {
        let options = format_options::options(context, &workspace, &params.options);
        to_proto::edits(
            context,
            &format::range(
                &context.document.text,
                from_proto::text_range(context, params.range),
                &options,
            ),
        )
    };
    request::answer(session, &params.text_document.uri, find).await
}
