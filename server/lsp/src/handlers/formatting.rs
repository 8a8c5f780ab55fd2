//! `textDocument/formatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::DocumentFormattingParams;
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{format_options, request, to_proto};

/// The edits, as JSON, that give the whole document its layout; its meaning stays.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: DocumentFormattingParams,
) -> Result<Vec<u8>> {
    let workspace = Arc::clone(&session.workspace);
    let find = move |context: &RequestContext| {
        let options = format_options::options(context, &workspace, &params.options);
        let document = &context.document;
        let edits = format::edits_of(&document.text, &document.parse, &options);
        to_proto::edits_in_order(context, edits)
    };
    request::answer_json(session, &params.text_document.uri, find).await
}
