//! `textDocument/hover`.

use attractor_ide::hover;
use lsp_types::request::HoverRequest;
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// What is at the cursor, in words.
impl DocumentRequest for HoverRequest {
    fn uri(params: &HoverParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: HoverParams,
    ) -> Result<Option<Hover>, RequestError> {
        let at = params.text_document_position_params.position;
        let offset = from_proto::offset(context, at);
        let runs = context.host.runs_with_reports(&context.document);
        let found = hover::hover(&context.document, offset, &runs);
        Ok(found.map(|found| Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: found.markdown,
            }),
            range: Some(to_proto::range(context, found.range)),
        }))
    }
}
