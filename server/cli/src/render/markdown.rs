//! Reference pages for terminals: Markdown as styled text.
//!
//! Knows what the pages use: paragraphs, headings, lists, tables, fenced code, rules, `**bold**`, `*italic*`, `` `code` `` and links. Where
//! there are no styles, code keeps its backticks and a link shows its address.

use anstyle::Style;

use super::markdown_inline::{PLAIN, Styles, pieces};
use super::markdown_table::{is_row, table};
use crate::columns::width;
use crate::style::{FAINT, STRONG, paint};

const BULLET: &str = "  • ";
const CODE_INDENT: &str = "    ";
/// Longer rules look like borders.
const RULE_WIDTH: usize = 40;

/// A page in lines of at most `columns`; code is not wrapped.
pub fn render(page: &str, columns: usize, styles: Styles) -> String {
    let mut printer = Printer {
        columns,
        styles,
        text: String::new(),
        paragraph: Vec::new(),
    };
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        match Line::of(line.trim()) {
            Line::Row => {
                let mut rows = vec![line];
                rows.extend(std::iter::from_fn(|| lines.next_if(|line| is_row(line))));
                printer.table(&rows);
            }
            Line::Text(text) => printer.paragraph.push(text),
            Line::Fence => {
                let code = lines
                    .by_ref()
                    .take_while(|line| Line::of(line.trim()) != Line::Fence);
                printer.code(code);
            }
            other => printer.line(&other),
        }
    }
    printer.end_paragraph();
    printer.text
}

/// A line of Markdown.
#[derive(PartialEq, Eq)]
enum Line<'l> {
    Blank,
    Fence,
    Rule,
    Heading(&'l str),
    Item(&'l str),
    Row,
    Text(&'l str),
}

impl<'l> Line<'l> {
    fn of(line: &'l str) -> Self {
        let heading = line.trim_start_matches('#');
        if line.is_empty() {
            Self::Blank
        } else if line.starts_with("```") {
            Self::Fence
        } else if line.len() >= 3 && line.chars().all(|c| c == '-') {
            Self::Rule
        } else if heading.len() < line.len() && heading.starts_with(' ') {
            Self::Heading(heading.trim())
        } else if let Some(item) = line.strip_prefix("- ").or(line.strip_prefix("* ")) {
            Self::Item(item)
        } else if is_row(line) {
            Self::Row
        } else {
            Self::Text(line)
        }
    }
}

struct Printer<'l> {
    columns: usize,
    styles: Styles,
    text: String,
    /// The lines of the paragraph that has begun.
    paragraph: Vec<&'l str>,
}

impl<'l> Printer<'l> {
    fn line(&mut self, line: &Line<'l>) {
        self.end_paragraph();
        match line {
            Line::Blank => self.text.push('\n'),
            Line::Rule => {
                let rule = "─".repeat(self.columns.min(RULE_WIDTH));
                self.push(&self.styled(FAINT, &rule));
            }
            Line::Heading(text) => self.push(&self.styled(STRONG, text)),
            Line::Item(text) => self.wrapped(BULLET, text),
            Line::Text(_) | Line::Fence | Line::Row => {}
        }
    }

    fn code(&mut self, lines: impl Iterator<Item = &'l str>) {
        self.end_paragraph();
        for line in lines {
            self.push(format!("{CODE_INDENT}{line}").trim_end());
        }
    }

    fn table(&mut self, rows: &[&str]) {
        self.end_paragraph();
        match table(rows, self.columns, self.styles) {
            Some(rows) => rows.iter().for_each(|row| self.push(row)),
            None => rows.iter().for_each(|row| self.wrapped("", row)),
        }
    }

    fn end_paragraph(&mut self) {
        if !self.paragraph.is_empty() {
            let text = std::mem::take(&mut self.paragraph).join(" ");
            self.wrapped("", &text);
        }
    }

    /// Text after `lead`, broken between words.
    fn wrapped(&mut self, lead: &str, text: &str) {
        let indent = " ".repeat(width(lead));
        let (mut line, mut used) = (lead.to_owned(), width(lead));
        for word in words(text, self.styles) {
            let plain: usize = word.iter().map(|(_, text)| width(text)).sum();
            if used > width(lead) && used + 1 + plain > self.columns {
                self.push(&line);
                line.clone_from(&indent);
                used = width(lead);
            }
            if used > width(lead) {
                line.push(' ');
                used += 1;
            }
            for (style, text) in &word {
                line.push_str(&self.styled(*style, text));
            }
            used += plain;
        }
        self.push(&line);
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.styles == Styles::Off || style == PLAIN {
            text.to_owned()
        } else {
            paint(style, text)
        }
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// A word without spaces, in pieces of one style each.
type Word = Vec<(Style, String)>;

fn words(text: &str, styles: Styles) -> Vec<Word> {
    let mut words: Vec<Word> = vec![Word::new()];
    for (style, piece) in pieces(text, styles) {
        for (number, part) in piece.split(' ').enumerate() {
            if number > 0 {
                words.push(Word::new());
            }
            if let (Some(word), false) = (words.last_mut(), part.is_empty()) {
                word.push((style, part.to_owned()));
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::super::markdown_inline::Styles;
    use super::render;
    use expect_test::expect;

    const PAGE: &str = "**`join`** — one of `all`, `any`\n\nWhat a join waits for. See [the list](handlers.md) \
        of **all** handlers.\n\n- `all`: every branch, also those that fail\n- `any`: one\n\n```dot\nj [join=any]\n```\n\n---\n\n\
        # More\na * b, 2 ** 3, [x] and `open";

    #[test]
    fn plain_text_keeps_backticks_and_addresses() {
        expect![[r#"
            join — one of `all`, `any`

            What a join waits for. See the list
            (handlers.md) of all handlers.

              • `all`: every branch, also those
                that fail
              • `any`: one

                j [join=any]

            ────────────────────────────────────

            More
            a * b, 2 ** 3, [x] and `open
        "#]]
        .assert_eq(&render(PAGE, 36, Styles::Off));
    }

    #[test]
    fn styles_replace_marks() {
        let text = render(PAGE, 60, Styles::On);
        expect![[r#"
            join — one of all, any

            What a join waits for. See the list of all handlers.

              • all: every branch, also those that fail
              • any: one

                j [join=any]

            ────────────────────────────────────────

            More
            a * b, 2 ** 3, [x] and `open
        "#]]
        .assert_eq(&anstream::adapter::strip_str(&text).to_string());
        let styled =
            render("**a** `b` [c](d) *e f* g_h_i _j_ k*l*", 60, Styles::On).replace('\x1b', "^");
        expect![[r#"
            ^[1ma^[0m ^[36mb^[0m ^[4mc^[0m ^[3me^[0m ^[3mf^[0m g_h_i ^[3mj^[0m k*l*
        "#]]
        .assert_eq(&styled);
    }
}
