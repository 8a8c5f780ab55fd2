//! The text of a graph, and behind it the values that do not stand in it as such.

use std::borrow::Cow;

use memchr::memchr;

use super::Attribute;
use crate::TextRange;
use crate::ast::{Id, IdKind};

/// Where a value is kept, and whether it is plain: it holds no backslash that could mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// In the text of the graph, where it is written; plain.
    Plain,
    /// In the text of the graph, where it is written.
    Written,
    /// Behind the text of the graph; plain.
    PlainBehind,
    /// Behind the text of the graph.
    Behind,
}

impl Kept {
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::Plain | Self::PlainBehind)
    }
}

/// What the values of a graph are pieces of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// The text of the graph, and behind it values that had to be put together.
    all: Box<str>,
    /// Where the graph begins in its file.
    start: usize,
    behind: Box<[Behind]>,
}

/// A value that had to be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Behind {
    /// Where it begins in the file.
    written: usize,
    /// Where it is in the text.
    kept: TextRange,
}

impl Text {
    /// What the value of an attribute says.
    #[inline]
    pub(super) fn of(&self, attribute: &Attribute) -> &str {
        match attribute.kept {
            Kept::Plain | Kept::Written => {
                let quote = usize::from(is_enclosed(attribute.value_id.kind));
                let start = (attribute.value_id.range.start() + quote).saturating_sub(self.start);
                let end = attribute
                    .value_id
                    .range
                    .end()
                    .saturating_sub(self.start + quote);
                TextRange::new(start, end).text(&self.all)
            }
            Kept::PlainBehind | Kept::Behind => self.behind(attribute.value_id.range),
        }
    }

    fn behind(&self, written: TextRange) -> &str {
        let found = self
            .behind
            .binary_search_by_key(&written.start(), |it| it.written);
        let found = found.ok().and_then(|at| self.behind.get(at));
        found.map(|it| it.kept).unwrap_or_default().text(&self.all)
    }
}

/// Gathers the text of a graph.
pub(super) struct Texts<'s> {
    source: &'s str,
    graph: TextRange,
    /// Values that had to be put together, one after the other.
    decoded: String,
    /// The same in the order they are written in.
    behind: Vec<Behind>,
    /// A stretch of the graph's text known to have no backslash.
    plain: TextRange,
}

impl<'s> Texts<'s> {
    /// Those of the graph at `range` of the file `source`.
    pub(super) fn new(source: &'s str, range: TextRange) -> Self {
        Self {
            source,
            graph: range,
            decoded: String::new(),
            behind: Vec::new(),
            plain: TextRange::default(),
        }
    }

    /// Keeps what an identifier of the graph says. They come in the order they are written in; one that
    /// came before may come again.
    #[inline]
    pub(super) fn keep(&mut self, range: TextRange, kind: IdKind) -> Kept {
        match kind {
            IdKind::Bare | IdKind::Numeral | IdKind::Extended => Kept::Plain,
            IdKind::Quoted if self.is_closed(range) && self.is_plain(range) => Kept::Plain,
            _ => self.keep_other(range, kind),
        }
    }

    /// Whether a string has both its quotes.
    fn is_closed(&self, string: TextRange) -> bool {
        let quote = |at: usize| self.source.as_bytes().get(at) == Some(&b'"');
        string.len() >= 2 && quote(string.start()) && quote(string.end() - 1)
    }

    /// Whether there is no backslash. Asked about places in their order, it looks at each byte once.
    fn is_plain(&mut self, range: TextRange) -> bool {
        if self.plain.contains_range(range) {
            return true;
        }
        self.find_plain(range)
    }

    #[cold]
    fn find_plain(&mut self, range: TextRange) -> bool {
        if range.start() < self.plain.start() {
            return memchr(b'\\', range.text(self.source).as_bytes()).is_none();
        }
        let rest = TextRange::new(range.start(), self.graph.end()).text(self.source);
        let length = memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        self.plain = TextRange::new(range.start(), range.start() + length);
        self.plain.contains_range(range)
    }

    #[cold]
    fn keep_other(&mut self, range: TextRange, kind: IdKind) -> Kept {
        let id = Id { range, kind };
        let says = id.text(self.source);
        let plain = id.is_html() || memchr(b'\\', says.as_bytes()).is_none();
        let quotes = 2 * usize::from(is_enclosed(id.kind));
        let stands = match says {
            Cow::Borrowed(inside) => inside.len() + quotes == id.range.len(),
            Cow::Owned(_) => false,
        };
        if !stands {
            self.put_behind(id.range.start(), &says);
        }
        match (stands, plain) {
            (true, true) => Kept::Plain,
            (true, false) => Kept::Written,
            (false, true) => Kept::PlainBehind,
            (false, false) => Kept::Behind,
        }
    }

    fn put_behind(&mut self, written: usize, says: &str) {
        if self.behind.last().is_none_or(|last| last.written < written) {
            let start = self.graph.len() + self.decoded.len();
            self.decoded.push_str(says);
            self.behind.push(Behind {
                written,
                kept: TextRange::new(start, start + says.len()),
            });
        }
    }

    /// All of it as one text. Beyond 4 GiB, where no range reaches, it is cut off.
    pub(super) fn finish(self) -> Text {
        let graph = self.graph.text(self.source);
        let most = (u32::MAX as usize).saturating_sub(graph.len());
        let decoded = TextRange::new(0, most).text(&self.decoded);
        Text {
            all: [graph, decoded].concat().into(),
            start: self.graph.start(),
            behind: self.behind.into(),
        }
    }
}

/// Whether what it says stands between two characters that say nothing.
fn is_enclosed(kind: IdKind) -> bool {
    matches!(kind, IdKind::Quoted | IdKind::Html)
}

#[cfg(test)]
mod tests {
    use crate::graph::resolve;

    /// Every node has its own attributes, but what is put together is kept once.
    #[test]
    fn values_put_together_serve_several_nodes() {
        let text = r#"graph { x } digraph { a, b [p="1\"2" q=<<i>> r="\l" s="3" + "4\""] c [p="5\"" q="un] }"#;
        let parse = crate::parse(text);
        let graph = resolve(&parse.file.graphs[1], text);
        for node in &graph.nodes[..2] {
            let says = ["p", "q", "r", "s"].map(|name| graph.value(node.attributes, name));
            assert_eq!(says, [Some("1\"2"), Some("<i>"), Some("\\l"), Some("34\"")]);
        }
        let says = ["p", "q"].map(|name| graph.value(graph.nodes[2].attributes, name));
        assert_eq!(says, [Some("5\""), Some("un] }")]);
        let kept = &graph.text.all[graph.range.len()..];
        assert_eq!(kept, "1\"234\"5\"un] }");
    }
}
