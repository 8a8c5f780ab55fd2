//! Every step a run can take from a node: its edges, and the jumps no edge shows.
//!
//! Built in time O(n + e + j) and memory O(n + j) for n nodes, e edges and j jumps.

use crate::catalogue::{NodeKind, values};
use crate::groups::Groups;
use crate::pipeline::{NodeIx, Pipeline};

/// Why a run can go from one node to another without an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// `branches` of a parallel node.
    Branch,
    /// `retry_target` or `fallback_retry_target` of a node.
    Retry,
    /// The end of a counted loop goes back to its beginning.
    LoopBack,
}

/// Steps of a pipeline.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The jumps from each node; no groups at all when there are none.
    jumps: Groups<(NodeIx, Jump)>,
    reachable: Vec<bool>,
}

impl Paths {
    /// The steps of a pipeline and what they reach from its start.
    pub fn of(pipeline: &Pipeline) -> Self {
        let mut found: Vec<(u32, (NodeIx, Jump))> = Vec::new();
        for (ix, node) in pipeline.indexed_nodes() {
            for name in ["retry_target", "fallback_retry_target"] {
                let target = node
                    .attributes
                    .get(name)
                    .and_then(|target| pipeline.by_id(target.value().trim()));
                found.extend(target.map(|target| (ix.0, (target, Jump::Retry))));
            }
            if let Some(branches) = node.attributes.get("branches") {
                let targets =
                    values::list(branches.value()).filter_map(|(id, _)| pipeline.by_id(id));
                found.extend(targets.map(|target| (ix.0, (target, Jump::Branch))));
            }
        }
        let backs = loop_backs(pipeline).into_iter();
        found.extend(backs.map(|(from, to)| (from.0, (to, Jump::LoopBack))));
        let groups = if found.is_empty() {
            0
        } else {
            pipeline.nodes.len()
        };
        let mut paths = Self {
            jumps: Groups::new(groups, &found),
            reachable: Vec::new(),
        };
        paths.reachable = paths.reach(pipeline);
        paths
    }

    /// The jumps from a node.
    pub fn jumps(&self, node: NodeIx) -> &[(NodeIx, Jump)] {
        self.jumps.of(node.index())
    }

    /// Whether a run can reach a node.
    pub fn is_reachable(&self, node: NodeIx) -> bool {
        self.reachable.get(node.index()).copied().unwrap_or(false)
    }

    fn reach(&self, pipeline: &Pipeline) -> Vec<bool> {
        let mut seen = vec![false; pipeline.nodes.len()];
        // The graph's retry targets can be reached after any failure.
        let graph_targets = ["retry_target", "fallback_retry_target"]
            .iter()
            .filter_map(|name| pipeline.by_id(pipeline.attributes.get(name)?.value().trim()));
        let mut work: Vec<NodeIx> = pipeline.start.into_iter().chain(graph_targets).collect();
        while let Some(node) = work.pop() {
            match seen.get_mut(node.index()) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            work.extend(pipeline.successors(node));
            work.extend(self.jumps(node).iter().map(|(target, _)| *target));
        }
        seen
    }
}

/// From the end of each counted loop to its beginning: the two nodes of kind `loop` that share `loop_id`,
/// in the order they are declared.
pub(super) fn loop_backs(pipeline: &Pipeline) -> Vec<(NodeIx, NodeIx)> {
    let mut first: std::collections::HashMap<&str, NodeIx> = std::collections::HashMap::new();
    let mut backs = Vec::new();
    for (ix, node) in pipeline.indexed_nodes() {
        if node.kind != NodeKind::Loop {
            continue;
        }
        let Some(id) = node.attributes.get("loop_id") else {
            continue;
        };
        match first.get(id.value().trim()) {
            Some(begin) => backs.push((ix, *begin)),
            None => {
                first.insert(id.value().trim(), ix);
            }
        }
    }
    backs
}
