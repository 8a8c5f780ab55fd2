//! Where the lines of a text begin, so that many byte offsets become positions cheaply.
//!
//! Read once per text, then every question takes the same short time, whatever the length of the text or
//! of its lines: thousands of diagnostics and tokens are converted for one keystroke. The way back, and
//! everything about changes, is in [`crate::position`].
//!
//! ```
//! use attractor_ide::{line_index::Lines, position::{Encoding, Position}};
//! let text = "a\n🦀 b";
//! let lines = Lines::new(text);
//! let after_crab = lines.position(text, 6, Encoding::Utf16);
//! assert_eq!(after_crab, Position { line: 1, character: 2 });
//! ```

use crate::position::{Encoding, Position};

/// Bytes between two places whose columns are known from the beginning.
const STEP: usize = 512;

/// The line starts of one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// The first byte of each line.
    starts: Vec<usize>,
    /// What precedes each multiple of [`STEP`]; empty for a text of ASCII only, where bytes are columns.
    marks: Vec<Count>,
}

/// How long a text is in the units that are not bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    chars: usize,
    utf16: usize,
}

impl Lines {
    /// Reads a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let crlf = bytes.get(at..at + 2) == Some(b"\r\n");
            if !crlf {
                starts.push(at + 1);
            }
        }
        let marks = if text.is_ascii() {
            Vec::new()
        } else {
            let mut count = Count::default();
            let mut marks = vec![count];
            for step in bytes.chunks_exact(STEP) {
                count.add(step);
                marks.push(count);
            }
            marks
        };
        Self { starts, marks }
    }

    /// The position of a byte offset of the text these lines were read from. An offset inside a character
    /// counts as its start, one past the end as the end, and one between the CR and the LF of a line end as
    /// the CR.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset);
        self.on_line(text, line.saturating_sub(1), offset, encoding)
    }

    /// The position of an offset that lies on this line.
    fn on_line(&self, text: &str, line: usize, offset: usize, encoding: Encoding) -> Position {
        let offset = text.floor_char_boundary(offset);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let inside_crlf =
            offset > start && text.as_bytes().get(offset - 1..=offset) == Some(b"\r\n");
        let offset = offset - usize::from(inside_crlf);
        let character = match encoding {
            Encoding::Utf8 => offset - start,
            _ if self.marks.is_empty() => offset - start,
            Encoding::Utf16 => self.before(text, offset).utf16 - self.before(text, start).utf16,
            Encoding::Utf32 => self.before(text, offset).chars - self.before(text, start).chars,
        };
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: u32::try_from(character).unwrap_or(u32::MAX),
        }
    }

    /// Where the line after `line` begins.
    fn next(&self, line: usize) -> usize {
        self.starts.get(line + 1).copied().unwrap_or(usize::MAX)
    }

    /// How much precedes an offset.
    fn before(&self, text: &str, offset: usize) -> Count {
        let step = offset / STEP;
        let mut count = self.marks.get(step).copied().unwrap_or_default();
        count.add(text.as_bytes().get(step * STEP..offset).unwrap_or_default());
        count
    }
}

/// Positions of many offsets in the order of the text: each is found from the one before.
#[derive(Clone, Debug)]
pub struct Cursor<'l> {
    lines: &'l Lines,
    text: &'l str,
    encoding: Encoding,
    line: usize,
}

impl<'l> Cursor<'l> {
    /// At the beginning of the text these lines were read from.
    pub fn new(lines: &'l Lines, text: &'l str, encoding: Encoding) -> Self {
        Self {
            lines,
            text,
            encoding,
            line: 0,
        }
    }

    /// The position of an offset that is not before the one asked for last.
    pub fn position(&mut self, offset: usize) -> Position {
        while self.lines.next(self.line) <= offset {
            self.line += 1;
        }
        self.lines
            .on_line(self.text, self.line, offset, self.encoding)
    }
}

impl Count {
    /// Counts characters by their first bytes, so a piece may be cut anywhere.
    fn add(&mut self, piece: &[u8]) {
        let firsts = piece.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let pairs = piece.iter().filter(|byte| **byte >= 0xF0).count();
        self.chars += firsts;
        self.utf16 += firsts + pairs;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    fn position(text: &str, offset: usize, encoding: Encoding) -> Position {
        Lines::new(text).position(text, offset, encoding)
    }

    #[test]
    fn columns_count_in_the_units_of_the_encoding() {
        let after_crab = |encoding| position("é🦀x\n", 6, encoding).character;
        assert_eq!(ALL.map(after_crab), [6, 3, 2]);
    }

    #[test]
    fn positions_are_clamped() {
        let text = "ab\r\ncd";
        assert_eq!(position(text, 99, Encoding::Utf16), at(1, 2));
        assert_eq!(position(text, 3, Encoding::Utf16), at(0, 2));
        assert_eq!(position("🦀x", 2, Encoding::Utf16), at(0, 0));
        assert_eq!(position("", 7, Encoding::Utf8), at(0, 0));
    }

    #[test]
    fn only_the_three_line_ends_of_the_protocol_count() {
        let text = "a\rb\nc\r\nd\u{2028}e\u{b}f\u{85}g";
        assert_eq!(position(text, text.len(), Encoding::Utf32), at(3, 7));
    }

    proptest! {
        /// Counting from the beginning of the text gives the same, also where lines are longer than a step.
        #[test]
        fn positions_are_what_counting_gives(piece in "[a🦀é\r\n]{0,12}", times in 1_usize..200, at in 0_usize..4_000) {
            let text = piece.repeat(times);
            let lines = Lines::new(&text);
            let at = text.floor_char_boundary(at);
            let crlf = text.get(..at).is_some_and(|before| before.ends_with('\r'))
                && text.get(at..).is_some_and(|after| after.starts_with('\n'));
            let before = text.get(..at - usize::from(crlf)).unwrap();
            let normal = before.replace("\r\n", "\n").replace('\r', "\n");
            let line = normal.split('\n').next_back().unwrap();
            let number = normal.matches('\n').count();
            for (encoding, column) in ALL.into_iter().zip([
                line.len(),
                line.encode_utf16().count(),
                line.chars().count(),
            ]) {
                let found = lines.position(&text, at, encoding);
                prop_assert_eq!((found.line as usize, found.character as usize), (number, column));
                let mut cursor = Cursor::new(&lines, &text, encoding);
                for before in (0..at).step_by(97).chain([at]) {
                    prop_assert_eq!(cursor.position(before), lines.position(&text, before, encoding));
                }
            }
        }
    }
}
