//! What a node does itself: whether it starts programs or calls a model.

use attractor_model::NodeKind;

use crate::plan::NodeRef;

/// What a node does itself, apart from what the machine does for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Starts programs.
    Commands,
    /// Calls a model.
    Model,
    /// Neither.
    Other,
}

/// What the node does itself.
pub fn work_of(node_ref: NodeRef<'_>) -> Work {
    match node_ref.node.kind {
        NodeKind::Start | NodeKind::Exit if node_ref.written("command").is_some() => Work::Commands,
        NodeKind::Start | NodeKind::Exit if node_ref.written("prompt").is_some() => Work::Model,
        NodeKind::Tool | NodeKind::Custom => Work::Commands,
        NodeKind::Codergen | NodeKind::Prompt => Work::Model,
        _ => Work::Other,
    }
}
