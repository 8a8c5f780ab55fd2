//! `textDocument/selectionRange`.

use attractor_ide::selection_range;
use lsp_types::request::SelectionRangeRequest;
use lsp_types::{Position, SelectionRange, SelectionRangeParams, Uri};

use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::request::DocumentRequest;
use crate::{from_proto, to_proto};

/// Ever larger ranges around each place.
impl DocumentRequest for SelectionRangeRequest {
    fn uri(params: &SelectionRangeParams) -> &Uri {
        &params.text_document.uri
    }

    fn answer(
        context: &RequestContext,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>, RequestError> {
        let places = params.positions.iter();
        let ranges = places.map(|place| around(context, *place));
        Ok(Some(ranges.collect()))
    }
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
