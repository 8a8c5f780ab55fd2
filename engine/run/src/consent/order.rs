//! The order in which the nodes of a pipeline are read: as they can be reached from the start, then the rest as
//! written. A run may begin anywhere (`--from`), so none is left out.

use std::collections::VecDeque;

use attractor_model::{NodeIx, Pipeline};

use crate::machine::NodeRef;

/// Every node of `pipeline`.
pub(super) fn node_refs(pipeline: &Pipeline) -> Vec<NodeRef<'_>> {
    let mut seen = vec![false; pipeline.nodes.len()];
    let mut node_refs = Vec::with_capacity(pipeline.nodes.len());
    let everywhere = pipeline.indexed_nodes().map(|(ix, _)| ix);
    for first in pipeline.start.into_iter().chain(everywhere) {
        let mut open: VecDeque<NodeIx> = VecDeque::from([first]);
        while let Some(ix) = open.pop_front() {
            let (Some(seen), Some(node)) = (seen.get_mut(ix.index()), pipeline.node(ix)) else {
                continue;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            node_refs.push(NodeRef { pipeline, ix, node });
            open.extend(pipeline.successors(ix));
        }
    }
    node_refs
}
