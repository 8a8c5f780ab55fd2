//! Byte offsets to lines and columns, both from 1, columns in characters.

use attractor_convert::plan::Converted;
use attractor_dot::TextRange;
use attractor_ide::line_index;
use attractor_ide::position::Encoding;
use serde::Serialize;

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// A range; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The first character.
    pub start: LineColumn,
    /// The one after the last.
    pub end: LineColumn,
}

/// The lines of one text.
pub struct Lines<'t> {
    text: &'t str,
    starts: line_index::Lines,
    /// Ranges are those of the DOT text of this library, and the lines those of its JSON.
    library: Option<&'t Converted>,
}

impl<'t> Lines<'t> {
    /// Reads the line ends of a text.
    pub fn new(text: &'t str) -> Self {
        let starts = line_index::Lines::new(text);
        Self {
            text,
            starts,
            library: None,
        }
    }

    /// Reads the line ends of a JSON plan library. Ranges of its DOT text are given as those of the JSON.
    pub fn of_library(json: &'t str, converted: &'t Converted) -> Self {
        Self {
            library: Some(converted),
            ..Self::new(json)
        }
    }

    /// The position of a byte offset.
    pub fn position(&self, offset: usize) -> LineColumn {
        let at = self.starts.position(self.text, offset, Encoding::Utf32);
        LineColumn {
            line: at.line.saturating_add(1),
            column: at.character.saturating_add(1),
        }
    }

    /// The span of a range.
    pub fn span(&self, range: TextRange) -> Span {
        let range = self.library.map_or(range, |library| library.range(range));
        Span {
            start: self.position(range.start()),
            end: self.position(range.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineColumn, Lines};

    #[test]
    fn lines_and_columns_start_at_one() {
        let lines = Lines::new("ä🦀b\r\nc");
        assert_eq!(lines.position(0), LineColumn { line: 1, column: 1 });
        assert_eq!(lines.position(6), LineColumn { line: 1, column: 3 });
        assert_eq!(lines.position(9), LineColumn { line: 2, column: 1 });
        assert_eq!(lines.position(99), LineColumn { line: 2, column: 2 });
    }
}
