//! Markdown that arrives in pieces, as styled lines. Pure.

use attractor_exec::Redactor;

use crate::columns::wrapped;
use crate::console::plain;
use crate::render::markdown::render;
use crate::render::markdown_inline::Styles;
use crate::render::markdown_table::is_row;
use crate::style::{FAINT, paint};

/// Text of a model, whose last line may be incomplete.
#[derive(Debug)]
pub struct TextStream {
    styles: Styles,
    line: String,
    /// The lines of a table, which is shown when it is complete: its columns are as wide as their widest cell.
    table: Vec<String>,
    in_code: bool,
}

impl TextStream {
    /// An empty text.
    pub const fn new(styles: Styles) -> Self {
        Self {
            styles,
            line: String::new(),
            table: Vec::new(),
            in_code: false,
        }
    }

    /// Adds a piece. Gives the lines that are complete, in at most `columns`.
    pub fn push(&mut self, piece: &str, columns: usize, redactor: &Redactor) -> Vec<String> {
        let mut done = Vec::new();
        for part in piece.split_inclusive('\n') {
            self.line.push_str(part);
            if self.line.ends_with('\n') {
                done.extend(self.end(columns, redactor));
            }
        }
        done
    }

    /// Ends the last line, and with it a block of code that was left open.
    pub fn finish(&mut self, columns: usize, redactor: &Redactor) -> Vec<String> {
        let mut last = if self.line.is_empty() {
            Vec::new()
        } else {
            self.end(columns, redactor)
        };
        last.extend(self.end_table(columns));
        self.in_code = false;
        last
    }

    /// The line that is not complete, as rows of at most `columns`.
    pub fn pending(&self, columns: usize, redactor: &Redactor) -> Vec<String> {
        let mut rows = self.table.clone();
        if !self.line.trim().is_empty() {
            rows.extend(wrapped(&plain(&redactor.text(&self.line)), columns));
        }
        rows
    }

    fn end_table(&mut self, columns: usize) -> Vec<String> {
        let table = std::mem::take(&mut self.table).join("\n");
        let text = render(&table, columns, self.styles);
        text.lines().map(str::to_owned).collect()
    }

    fn end(&mut self, columns: usize, redactor: &Redactor) -> Vec<String> {
        let line = std::mem::take(&mut self.line);
        let line = redactor.text(line.trim_end());
        let line = plain(&line);
        if !self.in_code && is_row(&line) {
            self.table.push(line.into_owned());
            return Vec::new();
        }
        let mut done = self.end_table(columns);
        done.extend(self.end_line(&line, columns));
        done
    }

    /// A line that is complete, and not one of a table.
    fn end_line(&mut self, line: &str, columns: usize) -> Vec<String> {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            self.in_code = !self.in_code;
            let language = trimmed.trim_matches('`');
            let is_named = self.in_code && !language.is_empty();
            let name = is_named.then(|| format!("    {}", paint(FAINT, language)));
            return name.into_iter().collect();
        }
        if self.in_code {
            return vec![format!("    {line}")];
        }
        if trimmed.is_empty() {
            return vec![String::new()];
        }
        // Nested lists keep their depth.
        let indent = " ".repeat(line.len() - trimmed.len());
        let text = render(trimmed, columns.saturating_sub(indent.len()), self.styles);
        let lines = text.trim_matches('\n').lines();
        lines.map(|line| format!("{indent}{line}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&str], columns: usize) -> Vec<String> {
        let mut text = TextStream::new(Styles::Off);
        let mut lines: Vec<String> = pieces
            .iter()
            .flat_map(|piece| text.push(piece, columns, &Redactor::default()))
            .collect();
        lines.extend(text.finish(columns, &Redactor::default()));
        let plain = |line: &String| anstream::adapter::strip_str(line).to_string();
        lines.iter().map(plain).collect()
    }

    #[test]
    fn lines_are_shown_when_they_are_complete() {
        let mut text = TextStream::new(Styles::Off);
        assert_eq!(
            text.push("One li", 40, &Redactor::default()),
            Vec::<String>::new()
        );
        assert_eq!(text.pending(4, &Redactor::default()), ["One", "li"]);
        assert_eq!(
            text.push("ne.\nTwo", 40, &Redactor::default()),
            ["One line."]
        );
        assert_eq!(text.finish(40, &Redactor::default()), ["Two"]);
        assert_eq!(text.pending(40, &Redactor::default()), Vec::<String>::new());
    }

    #[test]
    fn code_is_not_wrapped_and_blocks_end_with_the_text() {
        let pieces = [
            "Do:\n```sh\nmake  test and",
            " more\n```\nThen\n\n- a\n  - b\n",
        ];
        let lines = [
            "Do:",
            "    sh",
            "    make  test and more",
            "Then",
            "",
            "  • a",
            "    • b",
        ];
        assert_eq!(shown(&pieces, 12), lines);
        let mut text = TextStream::new(Styles::Off);
        text.push("```\ncode", 40, &Redactor::default());
        text.finish(40, &Redactor::default());
        assert_eq!(
            text.push("- item\n", 40, &Redactor::default()),
            ["  • item"]
        );
    }

    #[test]
    fn tables_are_shown_when_they_are_complete() {
        let pieces = [
            "| a | b |\n|--",
            "-|---|\n| long | x |\nAfter\n",
            "| c |\n|---|",
        ];
        let lines = ["a     b", "───────", "long  x", "After", "c", "─"];
        assert_eq!(shown(&pieces, 20), lines);
    }

    #[test]
    fn escape_sequences_are_visible() {
        assert_eq!(shown(&["a\x1b[2Jb\n"], 40), ["a␛[2Jb"]);
    }
}
