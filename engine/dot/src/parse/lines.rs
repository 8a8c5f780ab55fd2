//! Where lines end, as recovery asks: it reads indentation and line ends where brackets fail.
//!
//! Every look at the text is bounded, so that asking at each token stays linear.

use crate::TextRange;

/// So far a line is looked at.
const MAX_LINE_BYTES: usize = 4096;

/// Whether a line ends between the two offsets. They should be near each other.
pub(super) fn ends_between(text: &str, from: usize, to: usize) -> bool {
    TextRange::new(from, to).text(text).contains('\n')
}

/// Spaces at the beginning of the line that holds `offset`; a tab counts as one, a very long line has none.
pub(super) fn indentation(text: &str, offset: usize) -> usize {
    let near = TextRange::new(offset.saturating_sub(MAX_LINE_BYTES), offset).text(text);
    let line = match near.rfind('\n') {
        Some(end) => near.get(end + 1..).unwrap_or_default(),
        None if near.len() == offset => near,
        None => "",
    };
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The line that holds `offset`.
pub(super) fn line_at(text: &str, offset: usize) -> TextRange {
    let start = TextRange::new(0, offset)
        .text(text)
        .rfind('\n')
        .map_or(0, |end| end + 1);
    let end = TextRange::new(offset, text.len())
        .text(text)
        .find('\n')
        .map_or(text.len(), |end| offset + end);
    TextRange::new(start, end)
}
