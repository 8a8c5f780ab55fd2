//! A node, and the places that name it.

use std::num::NonZeroU32;

use smol_str::SmolStr;

use super::AttributeList;
use super::scopes::ScopeId;
use crate::TextRange;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name, decoded.
    pub id: SmolStr,
    /// Its attributes, one per name, defaults included.
    pub attributes: AttributeList,
    /// Where its occurrences begin and end.
    pub(super) occurrences: (u32, u32),
    /// Where it was created.
    pub(super) scope: ScopeId,
}

impl Node {
    /// The subgraph it was created in, as an index into [`Graph::subgraphs`](super::Graph::subgraphs).
    pub fn subgraph(&self) -> Option<usize> {
        self.scope.subgraph()
    }
}

/// A place that names a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name, as written.
    pub range: TextRange,
    /// The statement it is part of.
    pub statement: TextRange,
    /// What it does there.
    pub kind: OccurrenceKind,
    /// The next one of the same node.
    pub(super) next: Option<NonZeroU32>,
}

/// What a occurrence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OccurrenceKind {
    /// `a [..]` or `a` at the graph's own level, or with attributes in a subgraph.
    Declaration,
    /// An end of an edge.
    EdgeEnd,
    /// `a` without attributes inside a subgraph.
    SubgraphMember,
}
