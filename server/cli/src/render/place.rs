//! Byte offsets to the lines and columns people count in: from 1, columns in characters.

use attractor_dot::TextRange;
use attractor_ide::lines;
use attractor_ide::position::Encoding;
use serde::Serialize;

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// Two places; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The first character.
    pub start: Place,
    /// The one after the last.
    pub end: Place,
}

/// The lines of one text.
pub struct Lines<'t> {
    text: &'t str,
    starts: lines::Lines,
}

impl<'t> Lines<'t> {
    /// Reads the line ends of a text.
    pub fn new(text: &'t str) -> Self {
        let starts = lines::Lines::new(text);
        Self { text, starts }
    }

    /// Where a byte offset stands.
    pub fn place(&self, offset: usize) -> Place {
        let at = self.starts.position(self.text, offset, Encoding::Utf32);
        Place {
            line: at.line.saturating_add(1),
            column: at.character.saturating_add(1),
        }
    }

    /// Where a range stands.
    pub fn span(&self, range: TextRange) -> Span {
        Span {
            start: self.place(range.start()),
            end: self.place(range.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Place};

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let lines = Lines::new("ä🦀b\r\nc");
        assert_eq!(lines.place(0), Place { line: 1, column: 1 });
        assert_eq!(lines.place(6), Place { line: 1, column: 3 });
        assert_eq!(lines.place(9), Place { line: 2, column: 1 });
        assert_eq!(lines.place(99), Place { line: 2, column: 2 });
    }
}
