//! Edits for quick fixes: set an attribute, add or delete a statement, put another value. They keep the
//! file's own indentation and change nothing else.

use crate::ast::{AttrList, Block, EdgeEnd, Graph, Stmt};
use crate::{Edit, Fix, TextRange, strings};

/// Builds edits of one graph.
#[derive(Clone, Copy, Debug)]
pub struct Edits<'a> {
    text: &'a str,
    tree: &'a Graph,
}

/// A fix of one edit, only suggested.
pub fn fix(title: impl Into<String>, edit: Edit) -> Fix {
    Fix::new(title, vec![edit])
}

/// Where statements are added at the end of a graph, for lints with many to add.
#[derive(Clone, Copy, Debug)]
pub struct LastLine<'a> {
    at: usize,
    /// What ends the line before.
    before: &'static str,
    indent: &'a str,
}

impl LastLine<'_> {
    /// Adds a statement: its beginning and the rest of it.
    pub fn put(self, statement: &str, rest: &str) -> Edit {
        let text = [self.before, self.indent, statement, rest, "\n"].concat();
        Edit::insert(self.at, text)
    }
}

impl<'a> Edits<'a> {
    /// Edits of the graph `tree` in `text`.
    pub fn new(text: &'a str, tree: &'a Graph) -> Self {
        Self { text, tree }
    }

    /// Puts `value` in the place of a value or id; quoted when it must be.
    pub fn replace_value(self, range: TextRange, value: &str) -> Edit {
        let written = range.text(self.text);
        if written.starts_with('"') {
            let inside = strings::escape_into_quoted(value);
            return Edit::replace(range, format!("\"{inside}\""));
        }
        Edit::replace(range, strings::quote(value))
    }

    /// Adds `key=value` to the statement at `statement`, before the attributes it has.
    pub fn add_attribute(self, statement: TextRange, key: &str, value: &str) -> Edit {
        let pair = format!("{}={}", strings::quote(key), strings::quote(value));
        let list = self
            .statement(statement)
            .and_then(|found| found.attributes().first());
        let Some(list) = list else {
            return Edit::insert(statement.end(), format!(" [{pair}]"));
        };
        match list.items.first() {
            Some(first) => Edit::insert(
                first.range().start(),
                format!("{pair},{}", self.gap(list, first.range())),
            ),
            None => Edit::insert(list.range.start() + 1, pair),
        }
    }

    /// What separates the items of a list: a line end with its indentation, or a space.
    fn gap(self, list: &AttrList, first: TextRange) -> String {
        let lead = TextRange::new(list.range.start() + 1, first.start()).text(self.text);
        match lead.rfind('\n') {
            Some(at) => format!("\n{}", lead.get(at + 1..).unwrap_or_default()),
            None => " ".to_owned(),
        }
    }

    /// Adds a statement at the end of the graph.
    pub fn add_statement(self, statement: &str) -> Edit {
        self.last_line().put(statement, "")
    }

    /// The line at the end of the graph where statements are added.
    pub fn last_line(self) -> LastLine<'a> {
        let body = &self.tree.body;
        let indent = body
            .statements
            .first()
            .map_or("    ", |first| self.indentation(first.range().start()));
        let end = if body.closed {
            body.range.end().saturating_sub(1)
        } else {
            body.range.end()
        };
        let line = self.line_start(end);
        let alone = TextRange::new(line, end).text(self.text).trim().is_empty();
        let (at, before) = if alone && line > body.range.start() {
            (line, "")
        } else {
            (end, "\n")
        };
        LastLine { at, before, indent }
    }

    /// Deletes a statement with its closing `;`, and its line when nothing else is there.
    pub fn delete_statement(self, statement: TextRange) -> Edit {
        let after = TextRange::new(statement.end(), self.text.len()).text(self.text);
        let semicolon = usize::from(after.starts_with(';'));
        let end = statement.end() + semicolon;
        let rest = TextRange::new(end, self.text.len()).text(self.text);
        let line_rest = rest.find('\n').unwrap_or(rest.len());
        let start = self.line_start(statement.start());
        let alone = TextRange::new(start, statement.start())
            .text(self.text)
            .trim()
            .is_empty()
            && rest.get(..line_rest).unwrap_or_default().trim().is_empty();
        if alone {
            Edit::delete(TextRange::new(
                start,
                (end + line_rest + 1).min(self.text.len()),
            ))
        } else {
            Edit::delete(TextRange::new(statement.start(), end))
        }
    }

    /// Deletes an attribute together with the separator that follows or precedes it.
    pub fn delete_attribute(self, key: TextRange, value: TextRange) -> Edit {
        let whole = key.cover(value);
        let after = TextRange::new(whole.end(), self.text.len()).text(self.text);
        let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
        let rest = after.get(spaces..).unwrap_or_default();
        if rest.starts_with([',', ';']) {
            let tail = rest.get(1..).unwrap_or_default();
            let more = tail.len() - tail.trim_start_matches([' ', '\t']).len();
            return Edit::delete(TextRange::new(
                whole.start(),
                whole.end() + spaces + 1 + more,
            ));
        }
        let before = TextRange::new(0, whole.start()).text(self.text);
        let trimmed = before.trim_end();
        let start = if trimmed.ends_with(',') {
            trimmed.len() - 1
        } else {
            whole.start()
        };
        Edit::delete(TextRange::new(start, whole.end()))
    }

    /// The statement that is exactly at `range`. Logarithmic in the number of statements.
    pub fn statement(self, range: TextRange) -> Option<&'a Stmt> {
        let mut block = &self.tree.body;
        loop {
            let at = block
                .statements
                .partition_point(|statement| statement.range().end() < range.end());
            let found = block.statements.get(at)?;
            if found.range() == range && !matches!(found, Stmt::Subgraph(_)) {
                return Some(found);
            }
            block = inner_block(found, range)?;
        }
    }

    fn line_start(self, offset: usize) -> usize {
        let before = TextRange::new(0, offset).text(self.text);
        before.rfind('\n').map_or(0, |at| at + 1)
    }

    fn indentation(self, offset: usize) -> &'a str {
        let start = self.line_start(offset);
        let line = TextRange::new(start, offset).text(self.text);
        let length = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..length).unwrap_or_default()
    }
}

/// The block inside a statement that holds `range`.
fn inner_block(statement: &Stmt, range: TextRange) -> Option<&Block> {
    match statement {
        Stmt::Subgraph(subgraph) => subgraph.body.as_ref(),
        Stmt::Edge(edge) => edge.ends.iter().find_map(|end| match end {
            EdgeEnd::Subgraph(subgraph) => subgraph
                .body
                .as_ref()
                .filter(|body| body.range.contains_range(range)),
            EdgeEnd::Nodes(_) | EdgeEnd::Missing(_) => None,
        }),
        _ => None,
    }
}
