//! Which branch of a parallel node each node is in. Shared by several lints. Linear in nodes, edges and jumps.

use attractor_model::NodeIx;

use crate::LintContext;

/// Whether the branches of a parallel node reach a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// None does.
    Never,
    /// The branch of that number does.
    By(usize),
    /// Several do: it is where they have met, or behind that.
    BySeveral,
}

/// The branches of a parallel node.
pub(crate) struct Branches(Vec<Reached>);

impl Branches {
    /// The branches of `split`: what can be reached from the first node of each, that node included.
    pub(crate) fn of(ctx: &LintContext<'_>, split: NodeIx) -> Self {
        let pipeline = ctx.pipeline;
        let listed = ctx.paths().jumps(split).iter().map(|(to, _)| *to);
        let mut starts: Vec<NodeIx> = listed.collect();
        if starts.is_empty() {
            starts.extend(pipeline.successors(split));
        }
        starts.sort_unstable();
        starts.dedup();
        let mut reached = vec![Reached::Never; pipeline.nodes.len()];
        let mut work: Vec<(NodeIx, Reached)> = Vec::new();
        for (number, start) in starts.into_iter().enumerate() {
            work.push((start, Reached::By(number)));
            while let Some((ix, by)) = work.pop() {
                let Some(before) = reached.get_mut(ix.index()) else {
                    continue;
                };
                // A node changes at most twice.
                let now = match *before {
                    Reached::Never => by,
                    known if known == by => continue,
                    Reached::BySeveral => continue,
                    Reached::By(_) => Reached::BySeveral,
                };
                *before = now;
                work.extend(pipeline.successors(ix).map(|next| (next, now)));
                let jumps = ctx.paths().jumps(ix).iter();
                work.extend(jumps.map(|(next, _)| (*next, now)));
            }
        }
        Self(reached)
    }

    /// The only branch that a node is in; none where the branches have met.
    pub(crate) fn only(&self, ix: NodeIx) -> Option<usize> {
        match self.0.get(ix.index())? {
            Reached::By(number) => Some(*number),
            Reached::Never | Reached::BySeveral => None,
        }
    }

    /// Whether several branches lead to a node.
    pub(crate) fn have_met(&self, ix: NodeIx) -> bool {
        self.0.get(ix.index()) == Some(&Reached::BySeveral)
    }
}
