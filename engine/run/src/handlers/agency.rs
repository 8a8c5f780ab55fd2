//! Whether a node that asks a model is worked on by an agent, or gets one answer.

use attractor_machine::plan::NodeRef;
use attractor_machine::plan::node_order::calls_model;
use attractor_model::NodeKind;

use crate::backend::Agency;

/// What works on a node that asks a model.
pub(super) fn agency(node_ref: NodeRef<'_>) -> Agency {
    let by_kind = match node_ref.node.kind {
        NodeKind::Prompt | NodeKind::FanIn => Agency::OneAnswer,
        _ => Agency::Agent,
    };
    match node_ref.word("agent_mode").as_deref() {
        Some("one_shot") => Agency::OneAnswer,
        Some("agent_loop") => Agency::Agent,
        _ => by_kind,
    }
}

/// Whether an agent works on a node.
pub(crate) fn is_agent(node_ref: NodeRef<'_>) -> bool {
    calls_model(&node_ref) && agency(node_ref) == Agency::Agent
}
