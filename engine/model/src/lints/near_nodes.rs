//! The node somebody meant who wrote a name nobody has.
//!
//! A search compares the name with every node. When a file has so many slips that this would cost more than it helps,
//! the rest are told without a suggestion: the time is linear in the nodes.

use super::slips;
use crate::catalogue;
use crate::pipeline::Pipeline;

/// How many names one lint compares.
const COMPARISONS: usize = 50_000;
/// An edit distance costs this many quick comparisons.
const SLOW_COMPARISON: usize = 8;

/// Searches among the nodes of a pipeline.
pub(super) struct NearNodes<'p> {
    pipeline: &'p Pipeline,
    comparisons_left: usize,
}

impl<'p> NearNodes<'p> {
    /// Nothing searched yet.
    pub(super) fn of(pipeline: &'p Pipeline) -> Self {
        Self {
            pipeline,
            comparisons_left: COMPARISONS,
        }
    }

    /// The node whose id is nearest to a name nobody has, when it is near enough to be a slip.
    pub(super) fn nearest(&mut self, written: &str) -> Option<&'p str> {
        let nodes = &self.pipeline.nodes;
        self.spend(nodes.len().saturating_mul(SLOW_COMPARISON))
            .then(|| catalogue::nearest(written, nodes.iter().map(|node| &*node.id)))?
    }

    /// The declared node whose id is one letter away from `id`; digits tell nodes apart and are no slip.
    pub(super) fn declared(&mut self, id: &str) -> Option<&'p str> {
        let nodes = &self.pipeline.nodes;
        if id.len() < 3 || !self.spend(nodes.len()) {
            return None;
        }
        let declared = nodes.iter().filter(|node| node.declared);
        declared
            .map(|node| &*node.id)
            .find(|other| slips::is_slip(id, other))
    }

    fn spend(&mut self, comparisons: usize) -> bool {
        let left = self.comparisons_left;
        self.comparisons_left = left.saturating_sub(comparisons);
        left > 0
    }
}
