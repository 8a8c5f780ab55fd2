//! Nodes that exist only because an edge misspells the name of another.
//!
//! Found once for all lints: `implicit_node` reports them, and the lints that judge the shape of the graph do not report
//! what such a typo explains.

use attractor_model::{Node, NodeIx, Pipeline};

use crate::near_nodes::NearNodes;

/// An undeclared node, and the declared one it is probably a typo of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeNameTypo {
    pub(crate) node: NodeIx,
    pub(crate) meant: NodeIx,
}

/// Every misspelled node, in the order of the pipeline.
pub(crate) fn all(pipeline: &Pipeline) -> Vec<NodeNameTypo> {
    let mut near_nodes = NearNodes::of(pipeline);
    let undeclared = pipeline.indexed_nodes().filter(|(_, node)| may_be(node));
    undeclared
        .filter_map(|(ix, node)| {
            let often = pipeline.incoming(ix).len() + pipeline.outgoing(ix).len() > 1;
            let is_meant = |other: NodeIx| !are_joined(pipeline, ix, other);
            let meant = near_nodes.declared(&node.id, often, is_meant)?;
            Some(NodeNameTypo { node: ix, meant })
        })
        .collect()
}

/// Whether a node may be a typo. Ends of a run need no declaration, their names are enough.
fn may_be(node: &Node) -> bool {
    let is_end = node.terminal && !node.implicit_terminal;
    !node.declared && !node.start && !is_end
}

/// Whether an edge joins two nodes: to make them one would make it a loop of one node.
fn are_joined(pipeline: &Pipeline, one: NodeIx, other: NodeIx) -> bool {
    let mut neighbours = pipeline.successors(one).chain(pipeline.predecessors(one));
    neighbours.any(|neighbour| neighbour == other)
}
