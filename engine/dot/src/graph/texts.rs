//! The text of a graph, and behind it the values that do not stand in it as such.

use arcstr::ArcStr;
use memchr::memchr;

use crate::TextRange;
use crate::ast::{Id, IdKind};

/// Keeps what values say.
pub(super) struct Texts<'s> {
    source: &'s str,
    /// The text of the graph, and where it begins in `source`.
    graph: &'s str,
    start: usize,
    /// Values that had to be put together, one after the other.
    decoded: String,
    /// A stretch of the graph's text known to have no backslash.
    plain: TextRange,
}

/// A value that is kept.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    /// Where it is in the texts.
    pub(super) range: TextRange,
    /// Whether it holds no backslash that could mean something.
    pub(super) plain: bool,
}

impl<'s> Texts<'s> {
    /// Those of the graph at `range` of the file `source`.
    pub(super) fn new(source: &'s str, range: TextRange) -> Self {
        Self {
            source,
            graph: range.text(source),
            start: range.start(),
            decoded: String::new(),
            plain: TextRange::default(),
        }
    }

    /// Keeps what an identifier of the graph says.
    #[inline]
    pub(super) fn keep(&mut self, id: Id) -> Kept {
        let at = |offset: usize| offset.saturating_sub(self.start);
        let (start, end) = (at(id.range.start()), at(id.range.end()));
        match id.kind {
            IdKind::Bare | IdKind::Numeral | IdKind::Extended => Kept {
                range: TextRange::new(start, end),
                plain: true,
            },
            IdKind::Quoted if self.is_closed(start, end) => {
                let range = TextRange::new(start + 1, end - 1);
                if self.is_plain(range) {
                    Kept { range, plain: true }
                } else {
                    self.put_together(id)
                }
            }
            _ => self.put_together(id),
        }
    }

    /// Whether a string has both its quotes.
    fn is_closed(&self, start: usize, end: usize) -> bool {
        let quote = |at: usize| self.graph.as_bytes().get(at) == Some(&b'"');
        start + 2 <= end && quote(start) && quote(end - 1)
    }

    /// Whether there is no backslash. Asked about places in their order, it looks at each byte once.
    fn is_plain(&mut self, range: TextRange) -> bool {
        if self.plain.contains_range(range) {
            return true;
        }
        let bytes = self.graph.as_bytes();
        if range.start() < self.plain.start() {
            return memchr(b'\\', range.text(self.graph).as_bytes()).is_none();
        }
        let rest = bytes.get(range.start()..).unwrap_or_default();
        let length = memchr(b'\\', rest).unwrap_or(rest.len());
        self.plain = TextRange::new(range.start(), range.start() + length);
        self.plain.contains_range(range)
    }

    /// Keeps a value behind the text.
    fn put_together(&mut self, id: Id) -> Kept {
        let start = self.graph.len() + self.decoded.len();
        let says = id.text(self.source);
        self.decoded.push_str(&says);
        Kept {
            range: TextRange::new(start, start + says.len()),
            plain: id.is_html() || !says.contains('\\'),
        }
    }

    /// What was kept there.
    pub(super) fn at(&self, range: TextRange) -> &str {
        match range.start().checked_sub(self.graph.len()) {
            Some(start) => TextRange::new(start, start + range.len()).text(&self.decoded),
            None => range.text(self.graph),
        }
    }

    /// All of it as one text. Beyond 4 GiB, where no range reaches, it is cut off.
    pub(super) fn finish(self) -> ArcStr {
        let most = (u32::MAX as usize).saturating_sub(self.graph.len());
        let decoded = TextRange::new(0, most).text(&self.decoded);
        if decoded.is_empty() {
            ArcStr::from(self.graph)
        } else {
            arcstr::format!("{}{decoded}", self.graph)
        }
    }
}
