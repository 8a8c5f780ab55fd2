//! An attribute: a value given to a name.

use super::name_filter::NameHash;
use super::values::ValueStorage;
use crate::TextRange;
use crate::ast::Id;

/// The name of an attribute; [`Graph::name_of`](super::Graph::name_of) says it. Equal names of one graph are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name(pub(super) u32);

impl Name {
    /// Its position in [`Graph::names`](super::Graph::names).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value given to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: Name,
    /// Where the name is.
    pub key_range: TextRange,
    /// The value in the tree; [`Graph::value_of`](super::Graph::value_of) says it.
    pub value_id: Id,
    pub(super) storage: ValueStorage,
    /// The class of its name.
    pub(super) class: NameHash,
    /// Whether it comes from `node [..]`, `edge [..]` or, for a subgraph, the graph enclosing it.
    pub inherited: bool,
}

impl Attribute {
    /// Name and value.
    pub fn range(&self) -> TextRange {
        self.key_range.cover(self.value_id.range)
    }

    /// Whether its value has no backslash, or is HTML, so that it says the same where backslashes mean more.
    pub fn is_plain(&self) -> bool {
        self.storage.is_plain
    }
}
