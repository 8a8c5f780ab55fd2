//! `textDocument/selectionRange`.

use std::sync::Arc;

use attractor_ide::selection_range;
use lsp_types::{Position, SelectionRange, SelectionRangeParams};
use tower_lsp::jsonrpc::Result;

use crate::context::RequestContext;
use crate::session::Session;
use crate::{from_proto, request, to_proto};

/// Ever larger ranges around each place.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let find = move |context: &RequestContext| {
        params
            .positions
            .iter()
            .map(|place| around(context, *place))
            .collect()
    };
    request::answer(session, &params.text_document.uri, find).await
}

fn around(context: &RequestContext, place: Position) -> SelectionRange {
    let ranges = selection_range::ranges(&context.document, from_proto::offset(context, place));
    let outwards = ranges.iter().rev().fold(None, |parent, range| {
        Some(SelectionRange {
            range: to_proto::range(context, *range),
            parent: parent.map(Box::new),
        })
    });
    // The protocol wants one answer per place, in order.
    outwards.unwrap_or(SelectionRange {
        range: lsp_types::Range::new(place, place),
        parent: None,
    })
}
