//! The text a graph stands in, and beside it the values that do not stand in it as such.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr;

use super::Attribute;
use crate::TextRange;
use crate::ast::{Id, IdKind};

/// Where a value is kept, and whether it is plain: it holds no backslash that could mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueStorage {
    /// In the text, where it is written; plain.
    Plain,
    /// In the text, where it is written.
    Written,
    /// Beside the text; plain.
    PlainBeside,
    /// Beside the text.
    Beside,
}

impl ValueStorage {
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::Plain | Self::PlainBeside)
    }
}

/// What the values of a graph are pieces of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// The text of the file.
    source: Arc<str>,
    /// Values that had to be put together, one after the other.
    decoded: Box<str>,
    /// Where they are, in the order they are written in.
    beside: Box<[Beside]>,
}

/// A value that had to be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Beside {
    /// Where it begins in the file.
    written: usize,
    /// Where it is among the decoded ones.
    kept: TextRange,
}

impl Text {
    /// What the value of an attribute says.
    #[inline]
    pub(super) fn of(&self, attribute: &Attribute) -> &str {
        let Id { range, kind } = attribute.value_id;
        match attribute.kept {
            ValueStorage::Plain | ValueStorage::Written => {
                let quote = usize::from(is_enclosed(kind));
                let inside =
                    TextRange::new(range.start() + quote, range.end().saturating_sub(quote));
                inside.text(&self.source)
            }
            ValueStorage::PlainBeside | ValueStorage::Beside => self.beside(range),
        }
    }

    fn beside(&self, written: TextRange) -> &str {
        let found = self
            .beside
            .binary_search_by_key(&written.start(), |it| it.written);
        let found = found.ok().and_then(|at| self.beside.get(at));
        let kept = found.map(|it| it.kept).unwrap_or_default();
        kept.text(&self.decoded)
    }
}

/// Gathers the values of a graph.
pub(super) struct ValueStoreBuilder<'s> {
    source: &'s Arc<str>,
    graph: TextRange,
    /// Values that had to be put together, one after the other.
    decoded: String,
    /// The same in the order they are written in.
    beside: Vec<Beside>,
    /// A stretch of the graph's text known to have no backslash.
    plain: TextRange,
}

impl<'s> ValueStoreBuilder<'s> {
    /// Those of the graph at `range` of the file `source`.
    pub(super) fn new(source: &'s Arc<str>, range: TextRange) -> Self {
        Self {
            source,
            graph: range,
            decoded: String::new(),
            beside: Vec::new(),
            plain: TextRange::default(),
        }
    }

    /// Keeps what an identifier of the graph says. They come in the order they are written in; one that
    /// came before may come again.
    #[inline]
    pub(super) fn keep(&mut self, range: TextRange, kind: IdKind) -> ValueStorage {
        match kind {
            IdKind::Bare | IdKind::Numeral | IdKind::Extended => ValueStorage::Plain,
            IdKind::Quoted if self.is_closed(range) && self.is_plain(range) => ValueStorage::Plain,
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
    fn keep_other(&mut self, range: TextRange, kind: IdKind) -> ValueStorage {
        let id = Id { range, kind };
        let says = id.text(self.source);
        let plain = id.is_html() || memchr(b'\\', says.as_bytes()).is_none();
        let quotes = 2 * usize::from(is_enclosed(id.kind));
        let stands = match says {
            Cow::Borrowed(inside) => inside.len() + quotes == id.range.len(),
            Cow::Owned(_) => false,
        };
        if !stands {
            self.put_beside(id.range.start(), &says);
        }
        match (stands, plain) {
            (true, true) => ValueStorage::Plain,
            (true, false) => ValueStorage::Written,
            (false, true) => ValueStorage::PlainBeside,
            (false, false) => ValueStorage::Beside,
        }
    }

    /// Keeps a value, unless it was kept before or lies beyond 4 GiB, where no range reaches.
    fn put_beside(&mut self, written: usize, says: &str) {
        let is_new = self.beside.last().is_none_or(|last| last.written < written);
        let start = self.decoded.len();
        let end = start + says.len();
        if is_new && u32::try_from(end).is_ok() {
            self.decoded.push_str(says);
            self.beside.push(Beside {
                written,
                kept: TextRange::new(start, end),
            });
        }
    }

    /// All of them.
    pub(super) fn finish(self) -> Text {
        Text {
            source: Arc::clone(self.source),
            decoded: self.decoded.into(),
            beside: self.beside.into(),
        }
    }
}

/// Whether what it says stands between two characters that say nothing.
fn is_enclosed(kind: IdKind) -> bool {
    matches!(kind, IdKind::Quoted | IdKind::Html)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::graph::resolve;

    /// Every node has its own attributes, but what is put together is kept once.
    #[test]
    fn values_put_together_serve_several_nodes() {
        let text = r#"graph { x } digraph { a, b [p="1\"2" q=<<i>> r="\l" s="3" + "4\""] c [p="5\"" q="un] }"#;
        let text = Arc::from(text);
        let parse = crate::parse(&text);
        let graph = resolve(&parse.file.graphs[1], &text);
        for node in &graph.nodes[..2] {
            let says = ["p", "q", "r", "s"].map(|name| graph.value(node.attributes, name));
            assert_eq!(says, [Some("1\"2"), Some("<i>"), Some("\\l"), Some("34\"")]);
        }
        let says = ["p", "q"].map(|name| graph.value(graph.nodes[2].attributes, name));
        assert_eq!(says, [Some("5\""), Some("un] }")]);
        assert_eq!(&*graph.text.decoded, "1\"234\"5\"un] }");
    }
}
