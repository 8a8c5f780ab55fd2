//! The values of a graph: those that are in the text as they are, and those that had to be decoded.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::Arc;

use memchr::memchr;

use crate::TextRange;
use crate::ast::{Id, IdKind};

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueStorage {
    /// Its number among the decoded values, from 1, if it is not in the text as it is.
    decoded: Option<NonZeroU32>,
    /// Whether it has no backslash that could mean something.
    pub(super) is_plain: bool,
}

/// The values of a graph. Nearly all are pieces of the text, which costs no copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ValueStore {
    source: Arc<str>,
    decoded: Vec<Box<str>>,
}

impl ValueStore {
    pub(super) fn new(source: &Arc<str>) -> Self {
        Self {
            source: Arc::clone(source),
            decoded: Vec::new(),
        }
    }

    /// The value of `id`, decoded.
    #[inline]
    pub(super) fn get(&self, id: Id, storage: ValueStorage) -> &str {
        let Some(number) = storage.decoded else {
            return inside(id).text(&self.source);
        };
        let decoded = self.decoded.get(number.get() as usize - 1);
        decoded.map_or("", |decoded| decoded)
    }

    /// Stores the value of `id`.
    #[inline]
    pub(super) fn store(&mut self, id: Id) -> ValueStorage {
        let verbatim = ValueStorage {
            decoded: None,
            is_plain: true,
        };
        if matches!(id.kind, IdKind::Bare | IdKind::Numeral | IdKind::Extended) {
            return verbatim;
        }
        let text = id.text(&self.source);
        let is_plain = id.is_html() || memchr(b'\\', text.as_bytes()).is_none();
        let decoded = match text {
            Cow::Borrowed(text) if text.len() == inside(id).len() => None,
            text => {
                self.decoded.push(text.into());
                let count = u32::try_from(self.decoded.len()).ok();
                count.and_then(NonZeroU32::new)
            }
        };
        ValueStorage { decoded, is_plain }
    }
}

/// The range of an identifier without the quotes or angle brackets enclosing it.
fn inside(id: Id) -> TextRange {
    let enclosed = usize::from(matches!(id.kind, IdKind::Quoted | IdKind::Html));
    let end = id.range.end().saturating_sub(enclosed);
    TextRange::new(id.range.start() + enclosed, end)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::graph::resolve;

    #[test]
    fn decoded_values() {
        let text = r#"graph { x } digraph { a, b [p="1\"2" q=<<i>> r="\l" s="3" + "4\""] c [p="5\"" q="un] }"#;
        let text = Arc::from(text);
        let parse = crate::parse(&text);
        let graph = resolve(&parse.file.graphs[1], &text);
        for node in &graph.nodes[..2] {
            let values = ["p", "q", "r", "s"].map(|name| graph.value(node.attributes, name));
            assert_eq!(
                values,
                [Some("1\"2"), Some("<i>"), Some("\\l"), Some("34\"")]
            );
        }
        let values = ["p", "q"].map(|name| graph.value(graph.nodes[2].attributes, name));
        assert_eq!(values, [Some("5\""), Some("un] }")]);
    }
}
