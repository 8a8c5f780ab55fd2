//! `textDocument/inlayHint`.

use attractor_ide::inlay_hint::{self, Hint, InlayOptions};
use lsp_types::request::InlayHintRequest;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// What is in force and not written.
impl DocumentRequest for InlayHintRequest {
    fn uri(params: &InlayHintParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: InlayHintParams,
    ) -> Result<Option<Vec<InlayHint>>, RequestError> {
        let wanted = &context.settings.inlay_hints;
        let options = InlayOptions {
            models: wanted.model,
            routing: wanted.routing,
            failures: wanted.failure,
        };
        let range = from_proto::text_range(context, params.range);
        let hints = inlay_hint::hints(&context.document, range, options).into_iter();
        Ok(Some(hints.map(|hint| convert(context, hint)).collect()))
    }
}

fn convert(context: &RequestContext, hint: Hint) -> InlayHint {
    InlayHint {
        position: to_proto::position(context, hint.offset),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
