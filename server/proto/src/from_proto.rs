//! From the protocol's types to ours. With [`crate::to_proto`] the only place that converts.

use attractor_ide::dot::TextRange;
use attractor_ide::position::{Change, Position};
use lsp_types::TextDocumentContentChangeEvent;

use crate::context::RequestContext;

/// A line and column. Positions outside of the text are clamped when they are converted to an offset.
fn line_column(position: lsp_types::Position) -> Position {
    Position {
        line: position.line,
        character: position.character,
    }
}

/// The byte offset of a position.
pub fn offset(context: &RequestContext, position: lsp_types::Position) -> usize {
    context
        .document
        .offset(line_column(position), context.encoding())
}

/// The bytes of a range.
pub fn text_range(context: &RequestContext, range: lsp_types::Range) -> TextRange {
    let (start, end) = (offset(context, range.start), offset(context, range.end));
    TextRange::new(start.min(end), start.max(end))
}

/// One change of a document.
pub fn change(event: TextDocumentContentChangeEvent) -> Change {
    let range = event
        .range
        .map(|range| (line_column(range.start), line_column(range.end)));
    Change {
        range,
        text: event.text,
    }
}
