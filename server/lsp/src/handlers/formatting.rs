//! `textDocument/formatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::{DocumentFormattingParams, TextEdit};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{format_options, request, to_proto};

/// The whole document in its layout; its meaning stays.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let workspace = Arc::clone(&session.workspace);
    let find = move |context: &RequestContext| {
        let options = format_options::options(context, &workspace, &params.options);
        to_proto::edits(context, &format::edits(&context.document.text, &options))
    };
    request::answer(session, &params.text_document.uri, find).await
}
