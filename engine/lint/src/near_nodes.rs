//! The node that an unknown name is probably a typo of.
//!
//! A search compares the name with every node. When a file has so many typos that this would cost more than it helps,
//! the rest are reported without a suggestion: the time is linear in the nodes.

use crate::typos;
use attractor_model::catalogue;
use attractor_model::{NodeIx, Pipeline};

/// How many names one lint compares.
const COMPARISONS: usize = 50_000;
/// An edit distance costs this many quick comparisons.
const SLOW_COMPARISON: usize = 8;

/// Searches among the nodes of a pipeline.
pub(crate) struct NearNodes<'p> {
    pipeline: &'p Pipeline,
    comparisons_left: usize,
}

impl<'p> NearNodes<'p> {
    /// Nothing searched yet.
    pub(crate) fn of(pipeline: &'p Pipeline) -> Self {
        Self {
            pipeline,
            comparisons_left: COMPARISONS,
        }
    }

    /// The node whose id is nearest to an unknown name, if it is near enough to be a typo.
    pub(crate) fn nearest(&mut self, written: &str) -> Option<&'p str> {
        let nodes = &self.pipeline.nodes;
        self.spend(nodes.len().saturating_mul(SLOW_COMPARISON))
            .then(|| catalogue::nearest(written, nodes.iter().map(|node| &*node.id)))?
    }

    /// The declared node whose id is one letter away from `id` and that may be meant; digits distinguish nodes and are
    /// no typo. A name written `often` is not a typo where only a short part of it differs: `step_a` and `step_b`.
    pub(crate) fn declared(
        &mut self,
        id: &str,
        often: bool,
        is_meant: impl Fn(NodeIx) -> bool,
    ) -> Option<NodeIx> {
        if id.len() < 3 || !self.spend(self.pipeline.nodes.len()) {
            return None;
        }
        let mut declared = self
            .pipeline
            .indexed_nodes()
            .filter(|(_, node)| node.declared);
        let near = declared.find(|(ix, node)| {
            typos::is_typo(id, &node.id)
                && !(often && typos::are_variants(id, &node.id))
                && is_meant(*ix)
        });
        near.map(|(ix, _)| ix)
    }

    fn spend(&mut self, comparisons: usize) -> bool {
        let left = self.comparisons_left;
        self.comparisons_left = left.saturating_sub(comparisons);
        left > 0
    }
}
