//! Which nodes belong to a branch of a parallel node: those between its first node and the join.
//!
//! Each parallel node is searched once, up to its join; a node is visited at most twice a search, so a search is
//! O(n + e) and all are O(p · (n + e)) for p parallel nodes, n nodes and e edges — the sum of the sizes of their
//! branches, which is O(n + e) unless they are nested. Memory is O(8 n): branches inside branches are followed
//! eight levels deep.

use super::paths::{Jump, Paths};
use crate::catalogue::NodeKind;
use crate::pipeline::{NodeIx, Pipeline};

const LEVELS: usize = 8;

/// The branches each node is inside of, outermost first, by the first node of the branch.
#[derive(Clone, Debug, Default)]
pub struct Branches {
    of_node: Vec<Vec<NodeIx>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Branch(NodeIx),
    /// Reached from two branches: the join, or behind it.
    Shared,
}

impl Branches {
    /// Searches every parallel node.
    pub fn of(pipeline: &Pipeline, paths: &Paths) -> Self {
        let mut of_node: Vec<Vec<NodeIx>> = vec![Vec::new(); pipeline.nodes.len()];
        let mut marks = vec![Mark::None; pipeline.nodes.len()];
        let splits = pipeline
            .indexed_nodes()
            .filter(|(_, node)| node.kind == NodeKind::Parallel);
        for (split, _) in splits {
            for touched in search(pipeline, paths, split, &mut marks) {
                let Some(mark) = marks.get_mut(touched.index()) else {
                    continue;
                };
                if let (Mark::Branch(head), Some(inside)) =
                    (*mark, of_node.get_mut(touched.index()))
                    && inside.len() < LEVELS
                    && !inside.contains(&head)
                {
                    inside.push(head);
                }
                *mark = Mark::None;
            }
        }
        Self { of_node }
    }

    /// Whether a node belongs to a branch.
    pub fn is_inside(&self, node: NodeIx) -> bool {
        let inside = self.of_node.get(node.index());
        inside.is_some_and(|inside| !inside.is_empty())
    }

    /// The prefix of a setter's key when it is read at `at`: the branches that contain the setter and not `at`.
    pub(super) fn prefix(&self, pipeline: &Pipeline, setter: NodeIx, at: NodeIx) -> Option<String> {
        let inside = |node: NodeIx| {
            self.of_node
                .get(node.index())
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        let around = inside(at);
        let left: Vec<_> = inside(setter)
            .iter()
            .filter(|head| !around.contains(head))
            .map(|head| pipeline.id(*head))
            .collect();
        (!left.is_empty()).then(|| left.join("."))
    }
}

/// Marks the branches of one parallel node; gives the nodes it marked, some of them twice.
fn search(pipeline: &Pipeline, paths: &Paths, split: NodeIx, marks: &mut [Mark]) -> Vec<NodeIx> {
    let listed = paths
        .jumps(split)
        .iter()
        .filter(|(_, jump)| *jump == Jump::Branch)
        .map(|(head, _)| *head);
    let mut heads: Vec<NodeIx> = listed.collect();
    if heads.is_empty() {
        heads = pipeline.successors(split).collect();
    }
    let mut work: Vec<(NodeIx, Mark)> = heads
        .iter()
        .map(|head| (*head, Mark::Branch(*head)))
        .collect();
    let mut touched = Vec::new();
    while let Some((node, mark)) = work.pop() {
        let gathers = pipeline.node(node).is_none_or(|node| {
            node.kind == NodeKind::FanIn || (node.terminal && !node.implicit_terminal)
        });
        let Some(slot) = marks
            .get_mut(node.index())
            .filter(|_| !gathers && node != split)
        else {
            continue;
        };
        let new = match (*slot, mark) {
            // What lies behind the join belongs to no branch; only what was taken for one is corrected.
            (Mark::None, Mark::Shared) | (Mark::Shared, _) => continue,
            (old, mark) if old == mark => continue,
            (Mark::None, mark) => mark,
            _ => Mark::Shared,
        };
        *slot = new;
        touched.push(node);
        work.extend(pipeline.successors(node).map(|next| (next, new)));
    }
    touched
}
