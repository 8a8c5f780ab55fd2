//! Where a failure goes. The rules of routing after `fail`, as far as they are known without a run.
//!
//! One look at a node and its outgoing edges. Only attributes set in the file count, not defaults of the catalogue.

use crate::attributes::Attribute;
use crate::catalogue::{NodeKind, values};
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
    /// It is only recorded, and the run continues as after a success.
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

/// Whether a failure of a node that no condition routes may take this edge, which has no condition: `on_failure`
/// allows it, or the author routes on the result, at the node or in the conditional node the edge leads to.
///
/// The run, the lints and the editor ask this function.
pub fn may_take_failure(pipeline: &Pipeline, from: NodeIx, edge: &Edge) -> bool {
    let Some(node) = pipeline.node(from) else {
        return false;
    };
    let is_decided_there = || {
        let to = pipeline.node(edge.to);
        to.is_some_and(|node| node.kind == NodeKind::Conditional)
            && has_conditional_edge(pipeline, edge.to)
    };
    match OnFailure::of(node) {
        OnFailure::Route | OnFailure::Continue => true,
        OnFailure::Exit => false,
        OnFailure::Auto => has_conditional_edge(pipeline, from) || is_decided_there(),
    }
}

/// The node that catches a failure which no edge takes: the first target of the node, then of its graph, that exists.
pub fn retry_target(pipeline: &Pipeline, ix: NodeIx) -> Option<NodeIx> {
    const NAMES: [&str; 2] = ["retry_target", "fallback_retry_target"];
    let own = &pipeline.node(ix)?.attributes;
    let targets = [own, &pipeline.attributes]
        .into_iter()
        .flat_map(|attributes| NAMES.iter().filter_map(|name| attributes.get(name)));
    targets
        .map(Attribute::value)
        .find_map(|target| pipeline.by_id(target))
}

/// Whether a run ends when this node fails: no edge may take the failure and no retry target catches it.
pub fn stops_on_failure(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let Some(node) = pipeline.node(ix) else {
        return false;
    };
    let is_noted = OnFailure::of(node) == OnFailure::Continue;
    if is_noted || flag(node, "auto_status") || flag(node, "allow_partial") {
        return false;
    }
    let takes = |edge: &Edge| edge.is_conditional() || may_take_failure(pipeline, ix, edge);
    let is_routed = !node.terminal && edges(pipeline, ix).any(takes);
    !is_routed && retry_target(pipeline, ix).is_none()
}

fn has_conditional_edge(pipeline: &Pipeline, ix: NodeIx) -> bool {
    edges(pipeline, ix).any(Edge::is_conditional)
}

fn edges(pipeline: &Pipeline, from: NodeIx) -> impl Iterator<Item = &Edge> {
    let outgoing = pipeline.outgoing(from).iter();
    outgoing.filter_map(|edge| pipeline.edge(*edge))
}

fn flag(node: &Node, name: &str) -> bool {
    let written = node.attributes.get(name);
    written.and_then(|written| values::boolean(written.value())) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a failure of `n` ends the run.
    #[test]
    fn a_failure_ends_the_run_unless_something_takes_it() {
        for (statements, stops) in [
            ("n -> e", true),
            ("n -> e [condition=\"outcome=fail\"]", false),
            ("n -> e; n -> x [condition=\"outcome=success\"]", false),
            (
                "n -> c; c [shape=diamond]; c -> e [condition=\"outcome=fail\"]; c -> x",
                false,
            ),
            ("n -> c; c [shape=diamond]; c -> e", true),
            ("n [on_failure=route]; n -> e", false),
            ("n [on_failure=route]", true),
            (
                "n [on_failure=exit]; n -> c; c [shape=diamond]; c -> e [condition=\"outcome=fail\"]",
                true,
            ),
            (
                "n [on_failure=exit]; n -> e [condition=\"outcome=fail\"]",
                false,
            ),
            ("n [on_failure=continue]; n -> e", false),
            ("n [retry_target=x]; n -> e", false),
            ("n [retry_target=missing]; n -> e", true),
            ("fallback_retry_target=x; n -> e", false),
            ("n [auto_status=true]; n -> e", false),
        ] {
            let text = format!(
                "digraph {{ s [shape=Mdiamond]; e [shape=Msquare]; n [command=x]; x [prompt=x]; s -> n; x -> e; {statements} }}"
            );
            let pipeline = Pipeline::from_text(&text).remove(0);
            let n = pipeline.by_id("n").unwrap();
            assert_eq!(stops_on_failure(&pipeline, n), stops, "{statements}");
        }
    }
}
