//! Where a failure may go without an edge that asks for it: `on_failure`, and the words that mean the same.

use attractor_model::{Edge, NodeKind};

use super::plan::{Site, is_conditional};

/// What to do with a failure that nothing routes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnFailure {
    Auto,
    Route,
    Exit,
    Continue,
}

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
                .any(is_conditional)
    };
    match on_failure(site) {
        OnFailure::Route | OnFailure::Continue => true,
        OnFailure::Exit => false,
        OnFailure::Auto => site.has_conditional_edge() || decides(),
    }
}

/// Whether a failure of this node is only noted, and the run goes on as after a success.
pub(super) fn only_notes_failure(site: Site<'_>) -> bool {
    on_failure(site) == OnFailure::Continue
}

/// Whether a failure of this node may go where a success would.
pub(super) fn leads_failure_on(site: Site<'_>) -> bool {
    matches!(on_failure(site), OnFailure::Continue | OnFailure::Route)
}

fn on_failure(site: Site<'_>) -> OnFailure {
    let always = site
        .written("runs_on")
        .is_some_and(|word| word.trim().eq_ignore_ascii_case("always"));
    if always || site.flag("continue_on_fail") {
        return OnFailure::Continue;
    }
    match site
        .inherited("on_failure")
        .map(|word| word.trim().to_ascii_lowercase())
        .as_deref()
    {
        Some("route") => OnFailure::Route,
        Some("exit") => OnFailure::Exit,
        Some("continue" | "succeed") => OnFailure::Continue,
        _ => OnFailure::Auto,
    }
}
