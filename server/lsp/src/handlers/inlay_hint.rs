//! `textDocument/inlayHint`.

use std::sync::Arc;

use attractor_ide::inlay::{self, Hint, InlayOptions};
use lsp_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// What is in force and not written.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: InlayHintParams,
) -> Result<Option<Vec<InlayHint>>> {
    let range = params.range;
    let find = move |view: &View| {
        let settings = view.session.settings();
        let wanted = &settings.inlay_hints;
        let options = InlayOptions {
            models: wanted.model,
            routing: wanted.routing,
            failures: wanted.failure,
        };
        let hints = inlay::hints(&view.document, view.text_range(range), options).into_iter();
        hints.map(|hint| convert(view, hint)).collect()
    };
    session.answer(&params.text_document.uri, find).await
}

fn convert(view: &View, hint: Hint) -> InlayHint {
    InlayHint {
        position: view.position(hint.offset),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
