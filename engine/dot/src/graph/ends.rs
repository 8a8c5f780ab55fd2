//! The ends of an edge statement, with the nodes they stand for.

use std::ops::Range;

use crate::TextRange;

/// A node an edge runs to.
#[derive(Clone)]
pub(super) struct EndNode {
    pub(super) node: usize,
    pub(super) port: Option<Box<str>>,
    /// Where it, or the subgraph it is in, is named.
    pub(super) range: TextRange,
}

/// One end of an edge statement.
pub(super) struct End {
    pub(super) range: TextRange,
    /// Its nodes among those of the statement.
    pub(super) nodes: Range<usize>,
    pub(super) subgraph: Option<usize>,
}

/// Lists of one edge statement, kept so that the next one need not allocate.
#[derive(Default)]
pub(super) struct Spare {
    pub(super) ends: Vec<End>,
    pub(super) nodes: Vec<EndNode>,
}
