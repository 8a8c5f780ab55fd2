//! `textDocument/inlayHint`.

use std::sync::Arc;

use attractor_ide::inlay_hint::{self, Hint, InlayOptions};
use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// What is in force and not written.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: InlayHintParams,
) -> Result<Option<Vec<InlayHint>>> {
    let range = params.range;
    let find = move |context: &RequestContext| {
        let settings = &context.settings;
        let wanted = &settings.inlay_hints;
        let options = InlayOptions {
            models: wanted.model,
            routing: wanted.routing,
            failures: wanted.failure,
        };
        let hints = inlay_hint::hints(
            &context.document,
            from_proto::text_range(context, range),
            options,
        )
        .into_iter();
        hints.map(|hint| convert(context, hint)).collect()
    };
    request::answer(session, &params.text_document.uri, find).await
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
