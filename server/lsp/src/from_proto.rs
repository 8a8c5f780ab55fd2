//! From the protocol's types to ours. With [`crate::to_proto`] the only place that converts.

use attractor_ide::position::{Change, Position};
use lsp_types::TextDocumentContentChangeEvent;

/// A place in a document. Places outside the text are moved to its nearest border when they are looked up.
pub(crate) fn position(place: lsp_types::Position) -> Position {
    Position {
        line: place.line,
        character: place.character,
    }
}

/// One change of a document.
pub(crate) fn change(event: TextDocumentContentChangeEvent) -> Change {
    let range = event
        .range
        .map(|range| (position(range.start), position(range.end)));
    Change {
        range,
        text: event.text,
    }
}
