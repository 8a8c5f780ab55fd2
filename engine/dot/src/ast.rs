//! The tree: what is where. Every child that a person may not have typed yet is optional.
//!
//! Nodes hold ranges and kinds, never text: an [`Id`] is decoded on demand from the source it was
//! parsed from. A child's range lies inside its parent's, and siblings follow each other in order.
//! Lists are boxed slices ([`SmallVec`] where one element is the rule), so that a tree is small; iterate
//! them as slices.

mod id;
mod id_kind;

pub use id::Id;
pub use id_kind::IdKind;

use std::num::NonZeroU32;

use smallvec::SmallVec;

use crate::TextRange;

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The graphs, in order.
    pub graphs: Vec<Graph>,
}

/// `strict digraph name { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// From `strict` or the keyword to the closing brace.
    pub range: TextRange,
    /// The word `strict`.
    pub strict: Option<TextRange>,
    /// Whether it is a `digraph`.
    pub directed: bool,
    /// The word `graph` or `digraph`; empty where it is missing.
    pub keyword: TextRange,
    /// The name.
    pub id: Option<Id>,
    /// The braces and what they hold.
    pub body: Block,
}

/// `{ … }`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Braces included.
    pub range: TextRange,
    /// What is said between the braces.
    pub statements: Box<[Stmt]>,
    /// Whether the closing brace is there.
    pub closed: bool,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `a [label=x]`, `a, b`
    Node(NodeStmt),
    /// `a -> b -> {c d}`
    Edge(EdgeStmt),
    /// `node [shape=box]`
    Defaults(DefaultsStmt),
    /// `rankdir=LR`
    Assign(Attr),
    /// `subgraph cluster_x { … }`, `{ … }`
    Subgraph(Box<Subgraph>),
    /// Text that is not a statement; its diagnostic is among the errors.
    Error(TextRange),
}

impl Stmt {
    /// From its first to its last token, a closing `;` not included.
    pub fn range(&self) -> TextRange {
        match self {
            Self::Node(node) => node.range,
            Self::Edge(edge) => edge.range,
            Self::Defaults(defaults) => defaults.range,
            Self::Assign(attr) => attr.range(),
            Self::Subgraph(subgraph) => subgraph.range,
            Self::Error(range) => *range,
        }
    }

    /// Its attribute lists, if it is a statement that can have some.
    pub fn attributes(&self) -> &[AttrList] {
        match self {
            Self::Node(node) => &node.attributes,
            Self::Edge(edge) => &edge.attributes,
            Self::Defaults(defaults) => &defaults.attributes,
            Self::Subgraph(subgraph) => &subgraph.attributes,
            Self::Assign(_) | Self::Error(_) => &[],
        }
    }
}

/// `a, b [label=x]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeStmt {
    /// The whole statement.
    pub range: TextRange,
    /// One node, or several by commas.
    pub nodes: SmallVec<[NodeRef; 1]>,
    /// The lists in brackets.
    pub attributes: SmallVec<[AttrList; 1]>,
}

/// `a:port:n`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRef {
    /// The node's name.
    pub id: Id,
    /// Where at the node.
    pub port: Option<Box<Port>>,
}

impl NodeRef {
    /// Name and port.
    pub fn range(&self) -> TextRange {
        self.port
            .as_ref()
            .map_or(self.id.range, |port| self.id.range.cover(port.range))
    }
}

/// `:name:compass`; of `:n` alone Graphviz decides at layout which of the two it is, here it is the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Colons included.
    pub range: TextRange,
    /// After the first colon.
    pub name: Option<Id>,
    /// After the second colon.
    pub compass: Option<Id>,
}

/// `a -> b -> {c d} [label=x]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeStmt {
    /// The whole statement.
    pub range: TextRange,
    /// One more than operators.
    pub ends: Box<[EdgeEnd]>,
    /// What is between the ends.
    pub operators: SmallVec<[EdgeOp; 1]>,
    /// The lists in brackets.
    pub attributes: SmallVec<[AttrList; 1]>,
}

/// What an edge runs from or to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeEnd {
    /// `a` or `a, b`
    Nodes(SmallVec<[NodeRef; 1]>),
    /// `{a b}`: each of its nodes.
    Subgraph(Box<Subgraph>),
    /// Nothing there; the empty range where it should be.
    Missing(TextRange),
}

impl EdgeEnd {
    /// Where it is.
    pub fn range(&self) -> TextRange {
        match self {
            Self::Nodes(nodes) => match (nodes.first(), nodes.last()) {
                (Some(first), Some(last)) => first.range().cover(last.range()),
                _ => TextRange::default(),
            },
            Self::Subgraph(subgraph) => subgraph.range,
            Self::Missing(range) => *range,
        }
    }
}

/// `->` or `--`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeOp {
    start: u32,
    length: u16,
    /// Whether it is `->`.
    pub directed: bool,
}

impl EdgeOp {
    pub(crate) fn new(range: TextRange, directed: bool) -> Self {
        Self {
            start: range.start_u32(),
            length: u16::try_from(range.len()).unwrap_or(u16::MAX),
            directed,
        }
    }

    /// Where it is; of a misspelt one of more than 65,535 bytes its beginning.
    pub fn range(&self) -> TextRange {
        TextRange::from_u32(
            self.start,
            self.start.saturating_add(u32::from(self.length)),
        )
    }
}

/// What a defaults statement reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultsTarget {
    /// `graph [..]`
    Graph,
    /// `node [..]`
    Node,
    /// `edge [..]`
    Edge,
}

/// `node [shape=box]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultsStmt {
    /// The whole statement.
    pub range: TextRange,
    /// What it reports.
    pub target: DefaultsTarget,
    /// The word.
    pub keyword: TextRange,
    /// The lists in brackets.
    pub attributes: SmallVec<[AttrList; 1]>,
}

/// `[a=b, c=d]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttrList {
    /// Brackets included.
    pub range: TextRange,
    /// What it holds.
    pub items: Box<[Attr]>,
    /// Whether the closing bracket is there.
    pub closed: bool,
}

/// `key=value`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attr {
    /// Its name.
    pub key: Id,
    /// Where the `=` is, which is never the first byte of a text.
    equals: Option<NonZeroU32>,
    /// Its value.
    pub value: Option<Id>,
}

impl Attr {
    /// An empty `equals` is one that is missing.
    pub(crate) fn new(key: Id, equals: TextRange, value: Option<Id>) -> Self {
        let equals = NonZeroU32::new(equals.start_u32()).filter(|_| !equals.is_empty());
        Self { key, equals, value }
    }

    /// The whole pair.
    pub fn range(&self) -> TextRange {
        let value = self.value.map(|value| value.range);
        let last = value.or(self.equals()).unwrap_or(self.key.range);
        self.key.range.cover(last)
    }

    /// The `=`.
    pub fn equals(&self) -> Option<TextRange> {
        let start = self.equals?.get();
        Some(TextRange::from_u32(start, start + 1))
    }
}

/// `subgraph name { … }`, `{ … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subgraph {
    /// Keyword, name and braces.
    pub range: TextRange,
    /// The word `subgraph`.
    pub keyword: Option<TextRange>,
    /// Its name.
    pub id: Option<Id>,
    /// Its braces; missing in `subgraph x` alone, which Graphviz rejects.
    pub body: Option<Block>,
    /// Lists in brackets after a subgraph, which Graphviz accepts and ignores.
    pub attributes: SmallVec<[AttrList; 1]>,
}

#[cfg(test)]
mod tests {
    use super::Stmt;

    /// Texts of short statements would take much memory.
    #[test]
    fn a_statement_is_small() {
        assert!(size_of::<Stmt>() <= 96);
    }
}
