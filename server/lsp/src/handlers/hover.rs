//! `textDocument/hover`.

use std::sync::Arc;

use attractor_ide::hover;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// What is at the cursor, in words.
pub(crate) async fn handle(session: &Arc<Session>, params: HoverParams) -> Result<Option<Hover>> {
    let at = params.text_document_position_params;
    let find = move |context: &RequestContext| {
        let found = hover::hover(
            &context.document,
            from_proto::offset(context, at.position),
            &context.runs_with_reports(),
        )?;
        let contents = MarkupContent {
            kind: MarkupKind::Markdown,
            value: found.markdown,
        };
        Some(Hover {
            contents: HoverContents::Markup(contents),
            range: Some(to_proto::range(context, found.range)),
        })
    };
    Ok(
        request::answer(session, &at.text_document.uri.clone(), find)
            .await?
            .flatten(),
    )
}
