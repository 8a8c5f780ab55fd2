//! Where a secret was found.

use std::ops::Range;

/// One secret in a text.
pub(crate) struct Occurrence {
    pub(crate) range: Range<usize>,
    /// Whether the text ends in it, so that more of it may follow in a stream.
    pub(crate) is_open: bool,
}

/// Without overlaps, in their order.
pub(crate) fn merged(mut found: Vec<Occurrence>) -> Vec<Occurrence> {
    found.sort_by_key(|one| (one.range.start, one.range.end));
    found.dedup_by(|next, before| {
        let overlaps = next.range.start < before.range.end;
        if overlaps {
            before.range.end = before.range.end.max(next.range.end);
            before.is_open |= next.is_open;
        }
        overlaps
    });
    found
}
