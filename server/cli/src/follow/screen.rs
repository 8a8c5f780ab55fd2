//! The terminal during a run: permanent lines, and below them a live area that is redrawn.
//!
//! Every row of the live area fits into one line of the terminal, so it never scrolls. The width is asked for at
//! each drawing. When the terminal was made narrower in between, most terminals have wrapped its lines, and that is
//! counted when the area is removed. There is no live area when the streams are not a terminal. On a terminal that cannot
//! move its cursor, rows are written once, below each other, and typed letters follow the last one.

use std::fmt::Write;

use super::output::Output;
use crate::columns::{shortened, width};
use crate::console;

/// Both streams of the program, as one screen.
pub struct Screen {
    output: Output,
    kind: Kind,
    /// The rows last written to a plain terminal.
    written: Vec<String>,
    /// The columns that each row drawn takes, up to that of the cursor.
    drawn: Vec<usize>,
    /// The column of the cursor in the last of them.
    cursor: usize,
}

/// What standard error is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A terminal.
    Live,
    /// A terminal that cannot move its cursor.
    Plain,
    /// A file or a pipe.
    None,
}

impl Screen {
    /// The screen of this process.
    pub fn new() -> Self {
        Self {
            output: Output::default(),
            kind: match (console::can_draw(), console::moves_cursor()) {
                (true, true) => Kind::Live,
                (true, false) => Kind::Plain,
                (false, _) => Kind::None,
            },
            written: Vec::new(),
            drawn: Vec::new(),
            cursor: 0,
        }
    }

    /// Writes to standard output, above the live area, which has to be redrawn.
    pub fn print(&mut self, text: &str) {
        self.clear();
        self.output.write(|| console::print(text));
    }

    /// Writes a line to standard error, above the live area, which has to be redrawn.
    pub fn remark(&mut self, text: &str) {
        self.clear();
        console::remark(text);
    }

    /// Redraws the live area. The cursor is put at `cursor`, a row and a column in it, or else at the end of the last row.
    pub fn draw(&mut self, rows: &[String], cursor: Option<(usize, usize)>) {
        match self.kind {
            Kind::None => return,
            Kind::Plain => return self.write_below(rows),
            Kind::Live => {}
        }
        let (columns, lines) = console::size();
        let hidden = rows.len().saturating_sub(lines.saturating_sub(1).max(1));
        let rows: Vec<String> = rows
            .iter()
            .skip(hidden)
            .map(|row| console::coloured(shortened(row, columns.saturating_sub(1))))
            .collect();
        // Each row is overwritten: a terminal that is cleared from its first cell on may keep a copy of it in its history.
        let mut text = self.move_to_start(columns) + &rows.join("\x1b[K\n") + "\x1b[J";
        self.drawn = rows.iter().map(|row| width(row)).collect();
        self.cursor = self.drawn.last().copied().unwrap_or_default();
        if let Some((row, column)) = cursor {
            let row = row.saturating_sub(hidden);
            let below = self.drawn.len().saturating_sub(row + 1);
            self.drawn.truncate(row + 1);
            self.cursor = column;
            text.push('\r');
            if below > 0 {
                write!(text, "\x1b[{below}A").ok();
            }
            if column > 0 {
                write!(text, "\x1b[{column}C").ok();
            }
        }
        console::control(&text);
    }

    /// Writes rows to a plain terminal: what has changed since they were last written.
    fn write_below(&mut self, rows: &[String]) {
        let text = appended(&self.written, rows);
        self.written = rows.to_vec();
        console::control(&console::coloured(text));
    }

    /// Removes the live area.
    pub fn clear(&mut self) {
        if !self.written.is_empty() {
            self.written.clear();
            console::control("\n");
        }
        if !self.drawn.is_empty() {
            let text = self.move_to_start(console::size().0) + "\x1b[J";
            console::control(&text);
        }
    }

    /// Leaves the live area where it is: something else has been written below it.
    pub fn leave(&mut self) {
        self.drawn.clear();
        self.cursor = 0;
    }

    /// Moves to the start of the live area.
    fn move_to_start(&mut self, columns: usize) -> String {
        let columns = if console::rewraps() {
            columns
        } else {
            usize::MAX
        };
        let above = rows_above(&std::mem::take(&mut self.drawn), self.cursor, columns);
        self.cursor = 0;
        match above {
            0 => "\r".to_owned(),
            rows => format!("\r\x1b[{rows}A"),
        }
    }
}

/// What to write to get from rows that have been written to other ones, without moving back.
fn appended(before: &[String], rows: &[String]) -> String {
    let above = |rows: &[String]| rows.split_last().map(|(_, above)| above.to_vec());
    match (before.last(), rows.last()) {
        (Some(old), Some(new)) if above(before) == above(rows) => match new.strip_prefix(old) {
            Some(typed) => typed.to_owned(),
            None => format!("\n{new}"),
        },
        (None, _) => rows.join("\n"),
        (Some(_), _) => format!("\n{}", rows.join("\n")),
    }
}

/// How many lines of a terminal are above the cursor, which is in the last of these rows.
fn rows_above(drawn: &[usize], cursor: usize, columns: usize) -> usize {
    let columns = columns.max(1);
    let Some((_, before)) = drawn.split_last() else {
        return 0;
    };
    let lines = |row: &usize| row.div_ceil(columns).max(1);
    before.iter().map(lines).sum::<usize>() + cursor / columns
}

#[cfg(test)]
mod tests {
    use super::{appended, rows_above};

    #[test]
    fn a_plain_terminal_gets_only_what_is_new() {
        let rows = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        assert_eq!(appended(&[], &rows("? a\n> ")), "? a\n> ");
        assert_eq!(appended(&rows("? a\n> "), &rows("? a\n> y")), "y");
        assert_eq!(appended(&rows("? a\n> yx"), &rows("? a\n> y")), "\n> y");
        assert_eq!(
            appended(&rows("? a\n> x"), &rows("? a\n    no choice\n> ")),
            "\n? a\n    no choice\n> "
        );
    }

    #[test]
    fn wrapped_rows_are_counted() {
        assert_eq!(rows_above(&[], 0, 80), 0);
        assert_eq!(rows_above(&[70, 70, 5], 5, 80), 2);
        assert_eq!(rows_above(&[70, 70, 5], 5, 40), 4);
        assert_eq!(rows_above(&[70, 0, 50], 50, 40), 4);
    }
}
