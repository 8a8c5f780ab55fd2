//! What a node does itself: whether it starts programs or calls a model.

use attractor_model::NodeWork;

use crate::plan::NodeRef;

/// What the node does itself: what its kind does, or what its attributes ask for.
pub fn work_of(node_ref: NodeRef<'_>) -> NodeWork {
    match node_ref.node.kind.work() {
        NodeWork::Optional if node_ref.written("command").is_some() => NodeWork::Commands,
        NodeWork::Optional if node_ref.written("prompt").is_some() => NodeWork::Model,
        work => work,
    }
}
