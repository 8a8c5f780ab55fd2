//! The branches of a parallel node, as sets of nodes. Shared by several lints.

use attractor_model::NodeIx;

use crate::LintContext;
use crate::reach::{Direction, reach};

/// The nodes that can be reached from the first node of each branch, that node included.
pub(crate) fn branches(ctx: &LintContext<'_>, split: NodeIx) -> Vec<Vec<bool>> {
    let pipeline = ctx.pipeline;
    let listed = ctx.paths().jumps(split).iter().map(|(to, _)| *to);
    let mut starts: Vec<NodeIx> = listed.collect();
    if starts.is_empty() {
        starts.extend(pipeline.successors(split));
    }
    starts.sort_unstable();
    starts.dedup();
    let nodes_from = |start: NodeIx| {
        let mut seen = reach(ctx, vec![start], Direction::Forward);
        if let Some(own) = seen.get_mut(start.index()) {
            *own = true;
        }
        seen
    };
    starts.into_iter().map(nodes_from).collect()
}

/// The only branch that a node is in; none where the branches have met.
pub(crate) fn branch_of(branches: &[Vec<bool>], ix: NodeIx) -> Option<usize> {
    let mut holding = branches
        .iter()
        .enumerate()
        .filter(|(_, nodes)| nodes.get(ix.index()) == Some(&true));
    let (first, _) = holding.next()?;
    holding.next().is_none().then_some(first)
}
