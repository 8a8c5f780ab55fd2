//! One attribute: what somebody wrote, where it came from and what the catalogue says about it.

use std::ops::Range;
use std::sync::Arc;

use attractor_dot::{Substr, TextRange, ast};
use smol_str::SmolStr;

use crate::catalogue::{self, AttributeRow};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Written on the node, edge or graph itself.
    Own,
    /// From `node [...]` or `edge [...]` defaults in scope.
    Default {
        /// The attribute in the defaults statement.
        range: TextRange,
    },
    /// From a stylesheet rule.
    Stylesheet(Arc<StyleRule>),
    /// From an attribute of the graph that sets a default for its nodes or edges.
    Graph {
        /// The attribute of the graph.
        range: TextRange,
    },
    /// Given on the command line.
    CommandLine,
    /// The default of the catalogue; nobody wrote it.
    Builtin,
}

/// The rule of a stylesheet that gave a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleRule {
    /// The selector that won, for example `.fast`.
    pub selector: String,
    /// The rule in the file, when the stylesheet stands in it.
    pub range: Option<TextRange>,
}

/// One attribute, resolved. A pipeline has more of these than of anything else, so it is kept small.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name as written, possibly an alias.
    pub written: SmolStr,
    /// The value, decoded (escapes and concatenation undone).
    pub value: Substr,
    /// Where it came from.
    pub source: Source,
    /// Where it stands in the file; `None` when it stands in no DOT attribute of its own.
    pub(crate) pair: Option<Pair>,
    /// What the catalogue says about it; `None` when it means nothing where it stands.
    pub row: Option<&'static AttributeRow>,
}

/// Name and value of an attribute in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) key: TextRange,
    /// The value's tree, to map offsets inside it back to the file.
    pub(crate) value: ast::Id,
}

impl Attribute {
    /// The canonical name; names that have no other stay as written.
    #[inline]
    pub fn name(&self) -> &str {
        catalogue::canonical(self.row, &self.written)
    }

    /// The name in the file.
    #[inline]
    pub fn key_range(&self) -> Option<TextRange> {
        Some(self.pair?.key)
    }

    /// The value in the file, as written with its quotes.
    #[inline]
    pub fn value_range(&self) -> Option<TextRange> {
        Some(self.pair?.value.range)
    }

    /// Where bytes of the value stand in the file, through escapes and concatenation. `text` is the file.
    pub fn place(&self, text: &str, bytes: Range<usize>) -> Option<TextRange> {
        let value = self.pair?.value;
        if let Some(start) = self.begins_as_written(value.range, text) {
            let from = bytes.start.min(self.value.len());
            let last = bytes.end.checked_sub(1).filter(|last| *last >= bytes.start);
            let to = last.map_or(from, |last| last.min(self.value.len()) + 1);
            return Some(TextRange::new(start + from, start + to));
        }
        let decoded = value.decoded(text);
        let decoded = if value.is_html() {
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

    /// Where the value begins in the file when it stands there letter by letter, bare or in quotes, as nearly all do.
    fn begins_as_written(&self, whole: TextRange, text: &str) -> Option<usize> {
        let written = whole.text(text);
        let quoted = written.strip_prefix('"');
        let inner = match quoted {
            Some(rest) => rest.strip_suffix('"')?,
            None => written,
        };
        (*inner == *self.value).then_some(whole.start() + usize::from(quoted.is_some()))
    }

    /// The whole attribute in the file, name and value.
    pub fn range(&self) -> Option<TextRange> {
        let pair = self.pair?;
        Some(pair.key.cover(pair.value.range))
    }
}

#[cfg(test)]
mod tests {
    use super::Attribute;

    #[test]
    fn an_attribute_is_small() {
        assert!(size_of::<Attribute>() <= 96);
    }
}
