//! The nodes of a pipeline by what they do and by the attributes they have, so that a lint passes over those that
//! are not its business without looking at them.

use attractor_dot::graph::NameFilter;

use attractor_model::catalogue::NodeKind;
use attractor_model::groups::Groups;
use attractor_model::{NodeIx, Pipeline};

/// Built in one pass; O(nodes) in time and memory.
pub(crate) struct NodeIndex {
    of_kind: Groups<NodeIx>,
    /// The names of each node's attributes.
    names: Vec<NameFilter>,
}

impl NodeIndex {
    pub(crate) fn of(pipeline: &Pipeline) -> Self {
        let nodes = pipeline.indexed_nodes();
        let kinds: Vec<(u32, NodeIx)> = nodes.map(|(ix, node)| (node.kind as u32, ix)).collect();
        Self {
            of_kind: Groups::new(NodeKind::COUNT, &kinds),
            names: pipeline
                .nodes
                .iter()
                .map(|node| node.attributes.names())
                .collect(),
        }
    }

    /// The nodes of some kinds, one kind after the other, each in the order of the pipeline.
    pub(crate) fn of_kinds<const N: usize>(
        &self,
        kinds: [NodeKind; N],
    ) -> impl Iterator<Item = NodeIx> {
        kinds
            .into_iter()
            .flat_map(|kind| self.of_kind.of(kind as usize).iter().copied())
    }

    /// The nodes that may have one of these attributes.
    pub(crate) fn with_any<const N: usize>(
        &self,
        names: [&'static str; N],
    ) -> impl Iterator<Item = NodeIx> {
        let wanted: NameFilter = names.into_iter().collect();
        let nodes = self.names.iter().enumerate();
        nodes
            .filter(move |(_, has)| has.may_intersect(wanted))
            .map(|(at, _)| NodeIx::new(at))
    }
}
