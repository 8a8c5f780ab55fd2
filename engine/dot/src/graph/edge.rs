//! An edge.

use super::AttributeList;
use super::endpoints::{Ends, Ports};
use super::scopes::ScopeId;
use crate::TextRange;
use crate::ast::EdgeOp;

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub(super) ends: Ends,
    pub(super) ports: Option<Box<Ports>>,
    /// The statement that created it.
    pub range: TextRange,
    /// The left end as written; for a subgraph, all of it.
    pub from_range: TextRange,
    /// The right end as written.
    pub to_range: TextRange,
    pub(super) operator: EdgeOp,
    /// Its attributes, one per name, defaults included. `key` is among them.
    pub attributes: AttributeList,
    /// Where it was created.
    pub(super) scope: ScopeId,
}

impl Edge {
    /// Index of the node on the left of the operator.
    #[inline]
    pub fn from(&self) -> usize {
        self.ends.tail as usize
    }

    /// Index of the node on its right.
    #[inline]
    pub fn to(&self) -> usize {
        self.ends.head as usize
    }

    /// Port of the left node, `name` or `name:compass`.
    pub fn from_port(&self) -> Option<&str> {
        self.ports.as_ref()?.tail.as_deref()
    }

    /// Port of the right node.
    pub fn to_port(&self) -> Option<&str> {
        self.ports.as_ref()?.head.as_deref()
    }

    /// The `->` or `--`.
    pub fn operator(&self) -> TextRange {
        self.operator.range()
    }

    /// The subgraph it was created in, as an index into [`Graph::subgraphs`](super::Graph::subgraphs).
    pub fn subgraph(&self) -> Option<usize> {
        self.scope.subgraph()
    }
}
