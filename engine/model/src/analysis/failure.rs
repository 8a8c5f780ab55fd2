//! Where a failure goes. The rules of routing after `fail`, as far as they can be told without running.
//!
//! One look at a node and its outgoing edges. What nobody wrote catches nothing, so no default of the catalogue is asked.

use crate::catalogue::values;
use crate::pipeline::{Edge, Node, NodeIx, Pipeline};

/// What becomes of a failure that no edge asks for: `on_failure`, and the words that mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// It takes an edge without a condition where the author routes on the result at all.
    Auto,
    /// It takes an edge without a condition.
    Route,
    /// It takes no such edge.
    Exit,
    /// It is only noted, and the run goes on as after a success.
    Continue,
}

impl OnFailure {
    /// What a node says, and else its graph.
    pub fn of(node: &Node) -> Self {
        let is = |name: &str, word: &str| {
            let written = node.attributes.get(name);
            written.is_some_and(|written| written.value().trim().eq_ignore_ascii_case(word))
        };
        if is("runs_on", "always") || flag(node, "continue_on_fail") {
            return Self::Continue;
        }
        let on_failure = |word| is("on_failure", word);
        if on_failure("route") {
            Self::Route
        } else if on_failure("exit") {
            Self::Exit
        } else if on_failure("continue") || on_failure("succeed") {
            Self::Continue
        } else {
            Self::Auto
        }
    }

    /// Whether the failure may go where a success would.
    pub fn leads_on(self) -> bool {
        matches!(self, Self::Route | Self::Continue)
    }
}

/// Whether a run ends when this node fails: no edge may take the failure and no retry target catches it.
pub fn stops_on_failure(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let Some(node) = pipeline.node(ix) else {
        return false;
    };
    if OnFailure::of(node).leads_on() || flag(node, "auto_status") || flag(node, "allow_partial") {
        return false;
    }
    let caught = ["retry_target", "fallback_retry_target"]
        .iter()
        .any(|name| node.attributes.has(name) || pipeline.attributes.has(name));
    let routed = pipeline
        .outgoing(ix)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge))
        .any(Edge::is_conditional);
    !caught && !routed
}

fn flag(node: &Node, name: &str) -> bool {
    let written = node.attributes.get(name);
    written.and_then(|written| values::boolean(written.value())) == Some(true)
}
