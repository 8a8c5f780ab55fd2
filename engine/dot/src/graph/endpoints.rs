//! The ends of edges: as an edge keeps them, and those of a statement with the nodes they are for.

use std::ops::Range;

use crate::TextRange;
use crate::ast::Port;

/// The nodes an edge runs between, left and right of its operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) tail: u32,
    pub(super) head: u32,
}

impl Ends {
    pub(super) fn new(tail: usize, head: usize) -> Self {
        let node = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            tail: node(tail),
            head: node(head),
        }
    }
}

/// Where at its nodes an edge ends, left and right of its operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ports {
    pub(super) tail: Option<Box<str>>,
    pub(super) head: Option<Box<str>>,
}

impl Ports {
    /// Replaces those that are given.
    pub(super) fn set(&mut self, given: Self) {
        self.tail = given.tail.or(self.tail.take());
        self.head = given.head.or(self.head.take());
    }
}

/// A node an edge runs to.
pub(super) struct EndNode<'t> {
    pub(super) node: usize,
    pub(super) port: Option<&'t Port>,
    /// Where it, or the subgraph it is in, is named.
    pub(super) range: TextRange,
}

/// One end of an edge statement.
pub(super) struct Endpoint {
    pub(super) range: TextRange,
    /// Its nodes among those of the statement.
    pub(super) nodes: Range<usize>,
    pub(super) subgraph: Option<usize>,
}

/// Lists of one edge statement, kept so that the next one need not allocate.
#[derive(Default)]
pub(super) struct EndpointBuffers<'t> {
    pub(super) ends: Vec<Endpoint>,
    pub(super) nodes: Vec<EndNode<'t>>,
}
