//! The edge to offer for an outcome that has none.

use crate::outgoing_conditions::OutgoingConditions;
use attractor_lang::Status;
use attractor_lang::condition::Literal;
use attractor_model::catalogue::NodeKind;
use attractor_model::{NodeIx, Pipeline};

/// An edge that would do: after a failure that may end the run back to the nearest node that can fix it, a few times;
/// else on to where success leads. An answer without an edge has no such default.
pub(super) fn suggested_edge(
    pipeline: &Pipeline,
    ways: &OutgoingConditions<'_>,
    outcome: &Status,
    may_end: bool,
    continuing: Option<usize>,
) -> Option<(NodeIx, String)> {
    if ways.node.kind == NodeKind::HumanGate {
        return None;
    }
    let calls_model = |ix: &NodeIx| {
        pipeline
            .node(*ix)
            .is_some_and(|node| node.kind.calls_model())
    };
    if may_end {
        let mut near = std::iter::once(ways.ix).chain(pipeline.predecessors(ways.ix));
        let target = near.find(calls_model)?;
        return Some((
            target,
            "condition=\"outcome=fail\", max_visits=3".to_owned(),
        ));
    }
    let exit = || {
        let mut nodes = pipeline.indexed_nodes();
        nodes.find(|(_, node)| node.terminal && !node.implicit_terminal)
    };
    let on = || ways.conditional().nth(continuing?);
    let target = on()
        .filter(|_| *outcome != Status::Success)
        .map(|(edge, _)| edge.to)
        .or_else(|| Some(exit()?.0))?;
    Some((target, format!("condition=\"outcome={outcome}\"")))
}

/// The place of the conditional edge that success takes.
pub(super) fn continuing(ways: &OutgoingConditions<'_>) -> Option<usize> {
    let success = std::slice::from_ref(&Status::Success);
    ways.conditional().position(|(_, condition)| {
        let holds = Literal {
            condition,
            holds: true,
        };
        !ways.satisfiable(&[holds], success).is_unsatisfiable()
    })
}
