//! Where a failure may go without an edge that asks for it: `on_failure`, and the words that mean the same.

use attractor_model::analysis::OnFailure;
use attractor_model::{Edge, NodeKind};

use super::plan::Site;

/// Whether a failure may take an edge without a condition: the author routes on the result, here or in
/// the conditional node the edge leads to.
pub(super) fn may_fall_through(site: Site<'_>, edge: &Edge) -> bool {
    let decides = || {
        site.pipeline
            .node(edge.to)
            .is_some_and(|node| node.kind == NodeKind::Conditional)
            && site
                .pipeline
                .outgoing(edge.to)
                .iter()
                .filter_map(|ix| site.pipeline.edge(*ix))
                .any(Edge::is_conditional)
    };
    match OnFailure::of(site.node) {
        OnFailure::Route | OnFailure::Continue => true,
        OnFailure::Exit => false,
        OnFailure::Auto => site.has_conditional_edge() || decides(),
    }
}

/// Whether a failure of this node is only noted, and the run goes on as after a success.
pub(super) fn only_notes_failure(site: Site<'_>) -> bool {
    OnFailure::of(site.node) == OnFailure::Continue
}

/// Whether a failure of this node may go where a success would.
pub(super) fn leads_failure_on(site: Site<'_>) -> bool {
    OnFailure::of(site.node).leads_on()
}
