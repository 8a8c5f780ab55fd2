//! `textDocument/onTypeFormatting`.

use std::sync::Arc;

use attractor_ide::dot::format;
use lsp_types::{DocumentOnTypeFormattingParams, TextEdit};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{format_options, from_proto, request, to_proto};

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
    let workspace = Arc::clone(&session.workspace);
    let find = move |context: &RequestContext| {
        let options = format_options::options(context, &workspace, &params.options);
        let offset = from_proto::offset(context, at.position);
        to_proto::edits(
            context,
            &format::on_type(&context.document.text, offset, typed, &options),
        )
    };
    request::answer(session, &at.text_document.uri.clone(), find).await
}
