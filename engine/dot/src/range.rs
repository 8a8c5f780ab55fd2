//! A half-open range of byte offsets into a text.
//!
//! Ranges are four bytes a side, so texts end at 4 GiB. Every function is total: a range that does
//! not fit a text is clamped to it, never a panic.

use std::fmt;

/// Bytes `start..end` of a text.
///
/// ```
/// use attractor_dot::TextRange;
/// assert_eq!(TextRange::new(2, 5).text("a -> b"), "-> ");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TextRange {
    start: u32,
    end: u32,
}

impl TextRange {
    /// The range `start..end`; an `end` before `start` gives the empty range at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        Self::from_u32(start, end)
    }

    /// The empty range at `offset`.
    pub fn empty(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    pub(crate) const fn from_u32(start: u32, end: u32) -> Self {
        let end = if end < start { start } else { end };
        Self { start, end }
    }

    pub(crate) const fn start_u32(self) -> u32 {
        self.start
    }

    pub(crate) const fn end_u32(self) -> u32 {
        self.end
    }

    /// Offset of the first byte.
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// Offset just past the last byte.
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether the byte at `offset` lies inside.
    pub const fn contains(self, offset: usize) -> bool {
        self.start() <= offset && offset < self.end()
    }

    /// Whether a cursor at `offset` touches the range, its end included.
    pub const fn contains_inclusive(self, offset: usize) -> bool {
        self.start() <= offset && offset <= self.end()
    }

    /// Whether `other` lies wholly inside.
    pub const fn contains_range(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share a byte.
    pub const fn intersects(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self::from_u32(self.start.min(other.start), self.end.max(other.end))
    }

    /// The text of the range; what lies outside `source` or inside a character is cut off.
    #[inline]
    pub fn text(self, source: &str) -> &str {
        match source.get(self.start()..self.end()) {
            Some(text) => text,
            None => self.cut(source),
        }
    }

    #[cold]
    fn cut(self, source: &str) -> &str {
        let end = source.floor_char_boundary(self.end().min(source.len()));
        let start = source.floor_char_boundary(self.start().min(end));
        source.get(start..end).unwrap_or_default()
    }
}

impl fmt::Debug for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl From<TextRange> for std::ops::Range<usize> {
    fn from(range: TextRange) -> Self {
        range.start()..range.end()
    }
}

#[cfg(test)]
mod tests {
    use super::TextRange;

    #[test]
    fn text_is_total() {
        let source = "aé→";
        for start in 0..10 {
            for end in 0..10 {
                let _ = TextRange::new(start, end).text(source);
            }
        }
        assert_eq!(TextRange::new(1, 3).text(source), "é");
    }

    #[test]
    fn cover_and_contain() {
        let cover = TextRange::new(1, 3).cover(TextRange::new(5, 6));
        assert_eq!(cover, TextRange::new(1, 6));
        assert!(cover.contains(5) && !cover.contains(6) && cover.contains_inclusive(6));
    }
}
