//! Which nodes can have run before a node.

use attractor_model::{NodeIx, Pipeline};

/// The node of that id and every node from which an edge path leads to it; every node when there is no such
/// node. In the order found, each once.
pub(crate) fn of(pipeline: &Pipeline, id: Option<&str>) -> Vec<NodeIx> {
    let Some(start) = id.and_then(|id| pipeline.by_id(id)) else {
        return pipeline.indexed_nodes().map(|(node, _)| node).collect();
    };
    let mut seen = vec![false; pipeline.nodes.len()];
    let mut found = Vec::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        match seen.get_mut(node.index()) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        found.push(node);
        open.extend(pipeline.predecessors(node));
    }
    found
}
