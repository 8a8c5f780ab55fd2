//! `textDocument/selectionRange`.

use std::sync::Arc;

use attractor_ide::selection;
use lsp_types::{Position, SelectionRange, SelectionRangeParams};
use tower_lsp::jsonrpc::Result;

use crate::session::{Session, View};

/// Ever larger ranges around each place.
pub(crate) async fn handle(
    session: &Arc<Session>,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let find = move |view: &View| {
        params
            .positions
            .iter()
            .map(|place| around(view, *place))
            .collect()
    };
    session.answer(&params.text_document.uri, find).await
}

fn around(view: &View, place: Position) -> SelectionRange {
    let ranges = selection::ranges(&view.document, view.offset(place));
    let outwards = ranges.iter().rev().fold(None, |parent, range| {
        Some(SelectionRange {
            range: view.range(*range),
            parent: parent.map(Box::new),
        })
    });
    // The protocol wants one answer per place, in order.
    outwards.unwrap_or(SelectionRange {
        range: lsp_types::Range::new(place, place),
        parent: None,
    })
}
