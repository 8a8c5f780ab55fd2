//! Where a failure may go without an edge that asks for it: `on_failure`, and the words that mean the same.

use attractor_model::analysis::OnFailure;

use crate::plan::NodeRef;

/// Whether a failure of this node is only noted, and the run continues as after a success.
pub(super) fn only_notes_failure(node_ref: NodeRef<'_>) -> bool {
    OnFailure::of(node_ref.node) == OnFailure::Continue
}

/// Whether a failure of this node may go where a success would.
pub(super) fn leads_failure_on(node_ref: NodeRef<'_>) -> bool {
    OnFailure::of(node_ref.node).leads_on()
}
