//! The input of a conversation as rows of the terminal. Pure.

use crate::columns::width;
use crate::follow::line_editor::LineEditor;

/// Rows of an input, and where the cursor is.
#[derive(Debug, PartialEq, Eq)]
pub struct InputRows {
    pub rows: Vec<String>,
    /// The row of the cursor, and its column in it.
    pub cursor: (usize, usize),
}

impl InputRows {
    /// The `most` rows around the cursor, of at most `columns` each.
    pub fn of(line: &LineEditor, columns: usize, most: usize) -> Self {
        let (columns, most) = (columns.max(2), most.max(1));
        // What is far from the cursor does not matter: a text that was pasted may be long.
        let near = columns * most;
        let (before, after) = line.around_cursor();
        let mut nearest = before
            .get(before.len().saturating_sub(near)..)
            .unwrap_or_default();
        if nearest.len() < before.len() {
            let end = nearest.iter().position(|letter| *letter == '\n');
            nearest = end
                .and_then(|end| nearest.get(end + 1..))
                .unwrap_or(nearest);
        }
        let mut layout = Layout::new(columns);
        for letter in nearest {
            layout.push(*letter);
        }
        let (row, column) = (layout.rows.len(), layout.column);
        for letter in after.iter().take(near) {
            layout.push(*letter);
        }
        let mut rows = layout.rows;
        rows.push(layout.row);
        let start = row.saturating_sub(most - 1);
        let end = (start + most).min(rows.len());
        let start = end.saturating_sub(most).min(start);
        rows.truncate(end);
        rows.drain(..start);
        Self {
            rows,
            cursor: (row - start, column),
        }
    }
}

/// Rows that are being filled.
struct Layout {
    columns: usize,
    rows: Vec<String>,
    row: String,
    column: usize,
}

impl Layout {
    const fn new(columns: usize) -> Self {
        Self {
            columns,
            rows: Vec::new(),
            row: String::new(),
            column: 0,
        }
    }

    fn push(&mut self, letter: char) {
        let wide = width(letter.encode_utf8(&mut [0; 4]));
        if letter == '\n' || self.column + wide > self.columns {
            self.rows.push(std::mem::take(&mut self.row));
            self.column = 0;
        }
        if letter != '\n' {
            self.row.push(letter);
            self.column += wide;
        }
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::*;

    fn rows(text: &str, left: usize, columns: usize, most: usize) -> InputRows {
        let mut line = LineEditor::default();
        line.set(text);
        for _ in 0..left {
            line.key(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE));
        }
        InputRows::of(&line, columns, most)
    }

    #[test]
    fn lines_are_wrapped_and_the_cursor_is_found() {
        for (text, left, expected, cursor) in [
            ("", 0, vec![""], (0, 0)),
            ("abcdef", 0, vec!["abcd", "ef"], (1, 2)),
            ("abcd", 0, vec!["abcd"], (0, 4)),
            ("ab\n\nc", 2, vec!["ab", "", "c"], (1, 0)),
            ("漢字漢", 1, vec!["漢字", "漢"], (0, 4)),
        ] {
            let found = rows(text, left, 4, 5);
            assert_eq!(
                (found.rows, found.cursor),
                (expected.into_iter().map(str::to_owned).collect(), cursor),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_rows_around_the_cursor_are_kept() {
        let text = "1\n2\n3\n4\n5";
        assert_eq!(rows(text, 0, 4, 2).rows, ["4", "5"]);
        assert_eq!(rows(text, 0, 4, 2).cursor, (1, 1));
        assert_eq!(rows(text, 8, 4, 2).rows, ["1", "2"]);
        assert_eq!(rows(text, 8, 4, 2).cursor, (0, 1));
        let long = rows(&"x".repeat(1_000_000), 0, 10, 3);
        assert_eq!(long.rows.len(), 3);
        assert_eq!(long.cursor.0, 2);
    }
}
