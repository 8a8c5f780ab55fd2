//! One attribute: what somebody wrote, where it came from and what the catalogue says about it.

use std::fmt;
use std::ops::Range;

use attractor_dot::{TextRange, ast, graph};

use super::given::{Giver, Lent, StyleRule};
use super::meanings::Meanings;
use crate::catalogue::{self, AttributeRow};

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'p> {
    /// Written on the node, edge or graph itself.
    Own,
    /// From `node [...]` or `edge [...]` defaults in scope.
    Default {
        /// The attribute in the defaults statement.
        range: TextRange,
    },
    /// From a stylesheet rule.
    Stylesheet(&'p StyleRule),
    /// From an attribute of the graph that sets a default for its nodes or edges.
    Graph {
        /// The attribute of the graph.
        range: TextRange,
    },
}

/// One attribute, resolved: a view of what its pipeline keeps.
#[derive(Clone, Copy)]
pub struct Attribute<'p>(Kept<'p>);

#[derive(Clone, Copy)]
enum Kept<'p> {
    /// In a list of the graph.
    Written {
        attribute: &'p graph::Attribute,
        row: Option<&'static AttributeRow>,
        meanings: &'p Meanings,
    },
    /// Given to the owner, which does not say it itself.
    Lent(&'p Lent),
}

impl<'p> Attribute<'p> {
    #[inline]
    pub(super) fn in_list(
        attribute: &'p graph::Attribute,
        row: Option<&'static AttributeRow>,
        meanings: &'p Meanings,
    ) -> Self {
        Self(Kept::Written {
            attribute,
            row,
            meanings,
        })
    }

    #[inline]
    pub(super) fn lent(lent: &'p Lent) -> Self {
        Self(Kept::Lent(lent))
    }

    /// The canonical name; names that have no other stay as written.
    #[inline]
    pub fn name(self) -> &'p str {
        catalogue::canonical(self.row(), self.written())
    }

    /// The name as written, possibly an alias.
    #[inline]
    pub fn written(self) -> &'p str {
        match self.0 {
            Kept::Written {
                attribute,
                meanings,
                ..
            } => meanings.graph().name_of(attribute),
            Kept::Lent(lent) => &lent.written,
        }
    }

    /// The value, decoded (escapes and concatenation undone).
    #[inline]
    pub fn value(self) -> &'p str {
        match self.0 {
            Kept::Written {
                attribute,
                meanings,
                ..
            } => meanings.value(attribute),
            Kept::Lent(lent) => &lent.value,
        }
    }

    /// Where it came from.
    #[inline]
    pub fn source(self) -> Source<'p> {
        match self.0 {
            Kept::Written { attribute, .. } if attribute.inherited => Source::Default {
                range: attribute.range(),
            },
            Kept::Written { .. } => Source::Own,
            Kept::Lent(lent) => match &lent.giver {
                Giver::Stylesheet(rule) => Source::Stylesheet(rule),
                Giver::Graph { key, .. } => Source::Graph { range: *key },
            },
        }
    }

    /// Whether it is written on the node, edge or graph itself.
    #[inline]
    pub fn is_own(self) -> bool {
        matches!(self.0, Kept::Written { attribute, .. } if !attribute.inherited)
    }

    /// Whether somebody wrote it for the owner: on it, or as a default in scope.
    #[inline]
    pub fn is_written(self) -> bool {
        matches!(self.0, Kept::Written { .. })
    }

    /// What the catalogue says about it; `None` when it means nothing where it stands.
    #[inline]
    pub fn row(self) -> Option<&'static AttributeRow> {
        match self.0 {
            Kept::Written { row, .. } => row,
            Kept::Lent(lent) => lent.row,
        }
    }

    /// Where the name and the value stand in the file; `None` when they stand in no DOT attribute of their own.
    #[inline]
    pub(crate) fn pair(self) -> Option<(TextRange, ast::Id)> {
        match self.0 {
            Kept::Written { attribute, .. } => Some((attribute.key_range, attribute.value_id)),
            Kept::Lent(lent) => match lent.giver {
                Giver::Stylesheet(_) => None,
                Giver::Graph { key, value } => Some((key, value)),
            },
        }
    }

    /// The name in the file.
    #[inline]
    pub fn key_range(self) -> Option<TextRange> {
        Some(self.pair()?.0)
    }

    /// The value in the file, as written with its quotes.
    #[inline]
    pub fn value_range(self) -> Option<TextRange> {
        Some(self.pair()?.1.range)
    }

    /// The whole attribute in the file, name and value.
    pub fn range(self) -> Option<TextRange> {
        let (key, value) = self.pair()?;
        Some(key.cover(value.range))
    }

    /// Where bytes of the value stand in the file, through escapes and concatenation. `text` is the file.
    pub fn place(self, text: &str, bytes: Range<usize>) -> Option<TextRange> {
        let (_, id) = self.pair()?;
        let value = self.value();
        if let Some(start) = begins_as_written(value, id.range, text) {
            let from = bytes.start.min(value.len());
            let last = bytes.end.checked_sub(1).filter(|last| *last >= bytes.start);
            let to = last.map_or(from, |last| last.min(value.len()) + 1);
            return Some(TextRange::new(start + from, start + to));
        }
        let decoded = id.decoded(text);
        let decoded = if id.is_html() {
            decoded
        } else {
            decoded.unescape()
        };
        let range = decoded.range_to_source(bytes.start, bytes.end);
        // A quote inside a quoted string has a backslash, and what begins with the quote begins with that.
        let before = range.start().saturating_sub(1);
        let escaped = !bytes.is_empty()
            && TextRange::new(before, range.end())
                .text(text)
                .starts_with("\\\"");
        Some(TextRange::new(
            if escaped { before } else { range.start() },
            range.end(),
        ))
    }
}

/// Where a value begins in the file when it stands there letter by letter, bare or in quotes, as nearly all do.
fn begins_as_written(value: &str, whole: TextRange, text: &str) -> Option<usize> {
    let written = whole.text(text);
    let quoted = written.strip_prefix('"');
    let inner = match quoted {
        Some(rest) => rest.strip_suffix('"')?,
        None => written,
    };
    (inner == value).then_some(whole.start() + usize::from(quoted.is_some()))
}

impl fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}", self.written(), self.value())
    }
}
