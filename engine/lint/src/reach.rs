//! What lies behind or before some nodes, for the lints about branches. Linear in nodes, edges and jumps.

use crate::LintContext;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Node, NodeIx};

/// The nodes of a kind.
pub(crate) fn of_kind(ctx: &LintContext<'_>, kind: NodeKind) -> Vec<NodeIx> {
    ctx.nodes_of([kind]).map(|(ix, _)| ix).collect()
}

/// Which way edges and jumps are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// Those of `nodes` that no path joins to one of `partners`: forward when the partners come first, backward when
/// they come last.
pub(crate) fn lonely<'p>(
    ctx: &LintContext<'p>,
    nodes: Vec<NodeIx>,
    partners: impl FnOnce() -> Vec<NodeIx>,
    direction: Direction,
) -> Vec<&'p Node> {
    if nodes.is_empty() {
        return Vec::new();
    }
    let met = reach(ctx, partners(), direction);
    let pipeline = ctx.pipeline;
    nodes
        .into_iter()
        .filter(|ix| met.get(ix.index()) == Some(&false))
        .filter_map(|ix| pipeline.node(ix))
        .collect()
}

/// Nodes that lie behind or before others, those themselves not counted unless they lie on a path.
pub(crate) fn reach(ctx: &LintContext<'_>, from: Vec<NodeIx>, direction: Direction) -> Vec<bool> {
    reach_around(ctx, from, direction, None)
}

/// The nodes that may run before `node` does for the first time.
pub(crate) fn before_first_visit(ctx: &LintContext<'_>, node: NodeIx) -> Vec<bool> {
    let start: Vec<NodeIx> = ctx.pipeline.start.into_iter().collect();
    let mut before = reach_around(ctx, start.clone(), Direction::Forward, Some(node));
    for own in start.into_iter().filter(|start| *start != node) {
        if let Some(seen) = before.get_mut(own.index()) {
            *seen = true;
        }
    }
    before
}

/// Like [`reach`], without the paths through `around`, which is not counted.
fn reach_around(
    ctx: &LintContext<'_>,
    from: Vec<NodeIx>,
    direction: Direction,
    around: Option<NodeIx>,
) -> Vec<bool> {
    let pipeline = ctx.pipeline;
    let mut seen = vec![false; pipeline.nodes.len()];
    let around = around.map(NodeIx::index);
    if let Some(around) = around.and_then(|index| seen.get_mut(index)) {
        *around = true;
    }
    let mut work = from;
    // Backward, `branches` are looked up the other way round.
    let mut jumps_back: Vec<(NodeIx, NodeIx)> = Vec::new();
    if direction == Direction::Backward {
        for (ix, _) in pipeline.indexed_nodes() {
            jumps_back.extend(ctx.paths().jumps(ix).iter().map(|(to, _)| (*to, ix)));
        }
        jumps_back.sort_unstable();
    }
    while let Some(node) = work.pop() {
        let mut visit = |next: NodeIx, work: &mut Vec<NodeIx>| {
            if let Some(seen) = seen.get_mut(next.index()).filter(|seen| !**seen) {
                *seen = true;
                work.push(next);
            }
        };
        match direction {
            Direction::Forward => {
                pipeline
                    .successors(node)
                    .for_each(|next| visit(next, &mut work));
                ctx.paths()
                    .jumps(node)
                    .iter()
                    .for_each(|(next, _)| visit(*next, &mut work));
            }
            Direction::Backward => {
                pipeline
                    .predecessors(node)
                    .for_each(|next| visit(next, &mut work));
                let start = jumps_back.partition_point(|(to, _)| *to < node);
                let own = jumps_back.get(start..).unwrap_or_default();
                own.iter()
                    .take_while(|(to, _)| *to == node)
                    .for_each(|(_, from)| visit(*from, &mut work));
            }
        }
    }
    if let Some(around) = around.and_then(|index| seen.get_mut(index)) {
        *around = false;
    }
    seen
}
