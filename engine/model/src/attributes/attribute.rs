//! One attribute: its name and value, where it comes from and its row of the catalogue.

use std::fmt;
use std::ops::Range;

use attractor_dot::{TextRange, ast, graph};

use super::inherited::{InheritedAttribute, InheritedFrom, StyleRule};
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

/// One resolved attribute: a view of what its pipeline stores.
#[derive(Clone, Copy)]
pub struct Attribute<'p>(Repr<'p>);

#[derive(Clone, Copy)]
enum Repr<'p> {
    /// In a list of the graph.
    InList {
        attribute: &'p graph::Attribute,
        row: Option<&'static AttributeRow>,
        meanings: &'p Meanings,
    },
    /// Inherited by the owner, which does not set it itself.
    Inherited(&'p InheritedAttribute),
}

impl<'p> Attribute<'p> {
    #[inline]
    pub(super) fn in_list(
        attribute: &'p graph::Attribute,
        row: Option<&'static AttributeRow>,
        meanings: &'p Meanings,
    ) -> Self {
        Self(Repr::InList {
            attribute,
            row,
            meanings,
        })
    }

    #[inline]
    pub(super) fn inherited(inherited: &'p InheritedAttribute) -> Self {
        Self(Repr::Inherited(inherited))
    }

    /// The canonical name; the name as written if it has no other.
    #[inline]
    pub fn name(self) -> &'p str {
        catalogue::canonical(self.row(), self.written())
    }

    /// The name as written, possibly an alias.
    #[inline]
    pub fn written(self) -> &'p str {
        match self.0 {
            Repr::InList {
                attribute,
                meanings,
                ..
            } => meanings.graph().name_of(attribute),
            Repr::Inherited(inherited) => &inherited.written,
        }
    }

    /// The value, decoded (escapes and concatenation undone).
    #[inline]
    pub fn value(self) -> &'p str {
        match self.0 {
            Repr::InList {
                attribute,
                meanings,
                ..
            } => meanings.value(attribute),
            Repr::Inherited(inherited) => &inherited.value,
        }
    }

    /// Where it came from.
    #[inline]
    pub fn source(self) -> Source<'p> {
        match self.0 {
            Repr::InList { attribute, .. } if attribute.inherited => Source::Default {
                range: attribute.range(),
            },
            Repr::InList { .. } => Source::Own,
            Repr::Inherited(inherited) => match &inherited.from {
                InheritedFrom::Stylesheet(rule) => Source::Stylesheet(rule),
                InheritedFrom::Graph { key, .. } => Source::Graph { range: *key },
            },
        }
    }

    /// Whether it is written on the node, edge or graph itself.
    #[inline]
    pub fn is_own(self) -> bool {
        matches!(self.0, Repr::InList { attribute, .. } if !attribute.inherited)
    }

    /// Whether it is written for the owner: on it, or as a default in scope.
    #[inline]
    pub fn is_written(self) -> bool {
        matches!(self.0, Repr::InList { .. })
    }

    /// Its row of the catalogue; `None` if its owner has no such attribute.
    #[inline]
    pub fn row(self) -> Option<&'static AttributeRow> {
        match self.0 {
            Repr::InList { row, .. } => row,
            Repr::Inherited(inherited) => inherited.row,
        }
    }

    /// Where the name and the value are in the file; `None` for those from a stylesheet.
    #[inline]
    pub(crate) fn pair(self) -> Option<(TextRange, ast::Id)> {
        match self.0 {
            Repr::InList { attribute, .. } => Some((attribute.key_range, attribute.value_id)),
            Repr::Inherited(inherited) => match inherited.from {
                InheritedFrom::Stylesheet(_) => None,
                InheritedFrom::Graph { key, value } => Some((key, value)),
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

    /// The range of bytes of the value in the file, through escapes and concatenation. `text` is the file.
    pub fn range_of(self, text: &str, bytes: Range<usize>) -> Option<TextRange> {
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

/// The start of a value in the file if it is written without escapes, bare or in quotes, as nearly all are.
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
