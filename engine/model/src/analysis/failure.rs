//! Where a failure goes. The rules of routing after `fail`, as far as they are known without a run.
//!
//! One look at a node and its outgoing edges. Only attributes set in the file count, not defaults of the catalogue.

use attractor_lang::Status;
use attractor_lang::condition::{Condition, Domain, Literal, satisfiable};

use crate::attributes::Attribute;
use crate::catalogue::{NodeKind, values};
use crate::pipeline::{Edge, EdgeIx, Node, NodeIx, Pipeline};

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

/// What a failure of a node leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureRoute {
    /// Nodes of this kind do not fail.
    Never,
    /// The run ends.
    Stops,
    /// It is only recorded, or counts as a success: the run continues as after one.
    Continues,
    /// These edges may take it, in routing order.
    Edges(Vec<EdgeIx>),
    /// The run continues at a retry target.
    Retries(NodeIx),
}

/// What a failure of this node leads to, by the rules of routing.
pub fn failure_route(pipeline: &Pipeline, ix: NodeIx) -> FailureRoute {
    let Some(node) = pipeline.node(ix).filter(|node| node.kind.can_fail()) else {
        return FailureRoute::Never;
    };
    let is_noted = OnFailure::of(node) == OnFailure::Continue;
    if is_noted || flag(node, "auto_status") || flag(node, "allow_partial") {
        return FailureRoute::Continues;
    }
    let routed = if node.terminal {
        Vec::new()
    } else {
        edges_of_failure(pipeline, ix)
    };
    if !routed.is_empty() {
        return FailureRoute::Edges(routed);
    }
    retry_target(pipeline, ix).map_or(FailureRoute::Stops, FailureRoute::Retries)
}

/// Whether a run ends when this node fails: no edge may take the failure and no retry target catches it.
pub fn stops_on_failure(pipeline: &Pipeline, ix: NodeIx) -> bool {
    failure_route(pipeline, ix) == FailureRoute::Stops
}

/// The edges that may take a failure, in routing order: conditional ones up to the first that certainly holds, and
/// only without such a one those without a condition.
fn edges_of_failure(pipeline: &Pipeline, ix: NodeIx) -> Vec<EdgeIx> {
    let outgoing = || pipeline.outgoing(ix).iter().copied();
    let mut taken = Vec::new();
    for edge_ix in outgoing() {
        let Some(edge) = pipeline.edge(edge_ix).filter(|edge| edge.is_conditional()) else {
            continue;
        };
        let condition = edge.condition.as_deref();
        if condition.is_none_or(|condition| after_failure(condition, true)) {
            taken.push(edge_ix);
        }
        let has_limit = edge.attributes.has("max_visits");
        if condition.is_some_and(|condition| !after_failure(condition, false)) && !has_limit {
            return taken;
        }
    }
    let may = |edge: &EdgeIx| {
        let edge = pipeline.edge(*edge).filter(|edge| !edge.is_conditional());
        edge.is_some_and(|edge| may_take_failure(pipeline, ix, edge))
    };
    taken.extend(outgoing().filter(may));
    taken
}

/// Whether a condition may come out so when the node has failed.
fn after_failure(condition: &Condition, holds: bool) -> bool {
    let failed = Domain {
        outcomes: &[Status::Fail],
        known: &|_| None,
        labels: &[],
    };
    !satisfiable(&[Literal { condition, holds }], &failed).is_unsatisfiable()
}

/// The edge without a condition that is always taken before this one, so that no run takes this one.
///
/// Only where nothing but routing order decides: the node cannot prefer a label or suggest a target, and is outside
/// of parallel branches, where edges to the join are closed. `is_in_branch` is asked last.
pub fn shadowed_by<'p>(
    pipeline: &'p Pipeline,
    edge: &Edge,
    is_in_branch: impl FnOnce(NodeIx) -> bool,
) -> Option<&'p Edge> {
    let decides_itself = pipeline.node(edge.from).is_none_or(|node| {
        let decides = !matches!(
            node.kind,
            NodeKind::Start | NodeKind::Tool | NodeKind::Wait | NodeKind::Checkpoint
        );
        decides || node.attributes.has("output_schema") || node.attributes.has("parse_json")
    });
    if decides_itself || edge.is_conditional() {
        return None;
    }
    let first = edges(pipeline, edge.from).find(|first| {
        !first.is_conditional() && !first.freeform && !first.attributes.has("max_visits")
    })?;
    let is_later = first.to != edge.to && is_before(pipeline, first, edge);
    (is_later && !is_in_branch(edge.from)).then_some(first)
}

fn is_before(pipeline: &Pipeline, first: &Edge, second: &Edge) -> bool {
    let place = |wanted: &Edge| {
        let mut outgoing = edges(pipeline, wanted.from);
        outgoing.position(|edge| std::ptr::eq(edge, wanted))
    };
    place(first) < place(second)
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
            ("n -> e [condition=\"outcome=success\"]", true),
            (
                "n -> e [condition=\"exit_code=0 or outcome!=success\"]",
                false,
            ),
            ("n [allow_partial=true]; n -> e", false),
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
