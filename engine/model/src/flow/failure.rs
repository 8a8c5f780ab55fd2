//! Where a failure goes. The rules of routing after `fail`, as far as they can be told without running.
//!
//! One look at a node and its outgoing edges. What nobody wrote catches nothing, so no default of the catalogue is asked.

use crate::catalogue::values;
use crate::pipeline::{NodeIx, Pipeline};

/// Whether a run ends when this node fails: no edge may take the failure and no retry target catches it.
pub fn stops_on_failure(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let Some(node) = pipeline.node(ix) else {
        return false;
    };
    let goes_on = |name: &str, value: &str| {
        let written = node.attributes.get(name);
        written.is_some_and(|written| written.value.eq_ignore_ascii_case(value))
    };
    let flag = |name: &str| {
        let written = node.attributes.get(name);
        written.and_then(|written| values::boolean(&written.value)) == Some(true)
    };
    if goes_on("on_failure", "continue")
        || goes_on("on_failure", "succeed")
        || goes_on("on_failure", "route")
        || goes_on("runs_on", "always")
        || flag("continue_on_fail")
        || flag("auto_status")
        || flag("allow_partial")
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
