//! Where a failure goes. The rules of routing after `fail`, as far as they can be told without running.
//!
//! One look at a node and its outgoing edges.

use crate::pipeline::{NodeIx, Pipeline};

/// Whether a run ends when this node fails: no edge may take the failure and no retry target catches it.
pub fn stops_on_failure(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let Some(node) = pipeline.node(ix) else {
        return false;
    };
    let goes_on = |name: &str, value: &str| {
        node.attributes
            .text(name)
            .is_some_and(|written| written.eq_ignore_ascii_case(value))
    };
    if goes_on("on_failure", "continue")
        || goes_on("on_failure", "route")
        || goes_on("runs_on", "always")
        || node.attributes.bool("continue_on_fail") == Some(true)
        || node.attributes.bool("auto_status") == Some(true)
        || node.attributes.bool("allow_partial") == Some(true)
    {
        return false;
    }
    let caught = ["retry_target", "fallback_retry_target"]
        .iter()
        .any(|name| node.attributes.has(name) || pipeline.attributes.has(name));
    let routed = pipeline
        .outgoing(ix)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge))
        .any(|edge| edge.condition_text.is_some());
    !caught && !routed
}
