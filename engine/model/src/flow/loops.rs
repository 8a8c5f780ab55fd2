//! The loops of a pipeline: its strongly connected components with more than one step.
//!
//! Tarjan's algorithm with an explicit stack: time and memory O(n + e) for n nodes and e edges.

use rustc_hash::FxHashSet;

use super::paths::loop_backs;
use crate::pipeline::{EdgeIx, NodeIx, Pipeline};

/// A set of nodes a run can go round in.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// Its nodes in the order they are declared.
    pub nodes: Vec<NodeIx>,
    /// Edges between its nodes.
    pub inside: Vec<EdgeIx>,
    /// Edges that leave it.
    pub leaving: Vec<EdgeIx>,
    /// Whether only counted loops make it one: no edges go round.
    pub counted: bool,
}

/// Every loop of a pipeline.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// The loops, by their first node.
    pub all: Vec<Loop>,
    of_node: Vec<Option<u32>>,
}

impl Loops {
    /// Finds the loops over edges and counted loops. Retry targets make none: the engine counts those jumps.
    pub fn of(pipeline: &Pipeline) -> Self {
        let backs = loop_backs(pipeline);
        let component = components(pipeline, &backs);
        let mut size = vec![0_u32; pipeline.nodes.len()];
        for component in &component {
            if let Some(size) = size.get_mut(*component as usize) {
                *size += 1;
            }
        }
        let mut loops = Self {
            all: Vec::new(),
            of_node: vec![None; pipeline.nodes.len()],
        };
        // Numbers in the order of the first node.
        let mut number: Vec<Option<u32>> = vec![None; pipeline.nodes.len()];
        let comes_back = self_edges(pipeline);
        for (ix, _) in pipeline.indexed_nodes() {
            let Some(component) = component.get(ix.index()).copied() else {
                continue;
            };
            let round = size.get(component as usize).is_some_and(|size| *size > 1)
                || comes_back.get(ix.index()).copied().unwrap_or(false);
            if !round {
                continue;
            }
            let Some(slot) = number.get_mut(component as usize) else {
                continue;
            };
            let index = *slot.get_or_insert_with(|| {
                loops.all.push(Loop::default());
                u32::try_from(loops.all.len() - 1).unwrap_or(u32::MAX)
            });
            if let Some(found) = loops.all.get_mut(index as usize) {
                found.nodes.push(ix);
            }
            if let Some(slot) = loops.of_node.get_mut(ix.index()) {
                *slot = Some(index);
            }
        }
        loops.sort_edges(pipeline);
        loops.mark_counted(pipeline, &backs, &comes_back);
        loops
    }

    /// A loop with the end of a counted one is counted, unless edges alone go round in it too.
    fn mark_counted(
        &mut self,
        pipeline: &Pipeline,
        backs: &[(NodeIx, NodeIx)],
        comes_back: &[bool],
    ) {
        let ends: Vec<usize> = backs
            .iter()
            .filter_map(|(end, _)| self.index_of(*end))
            .collect();
        if ends.is_empty() {
            return;
        }
        let by_edges = components(pipeline, &[]);
        for index in ends {
            if let Some(found) = self.all.get_mut(index) {
                let mut seen = FxHashSet::default();
                found.counted = found.nodes.iter().all(|ix| {
                    !comes_back.get(ix.index()).copied().unwrap_or(false)
                        && seen.insert(by_edges.get(ix.index()).copied().unwrap_or(UNSEEN))
                });
            }
        }
    }

    /// The loop a node is part of.
    pub fn of_node(&self, node: NodeIx) -> Option<&Loop> {
        self.all.get(self.index_of(node)?)
    }

    /// Whether a run can go round through both nodes.
    pub fn share_one(&self, left: NodeIx, right: NodeIx) -> bool {
        self.index_of(left)
            .is_some_and(|index| self.index_of(right) == Some(index))
    }

    fn index_of(&self, node: NodeIx) -> Option<usize> {
        self.of_node
            .get(node.index())
            .copied()
            .flatten()
            .map(|index| index as usize)
    }

    fn sort_edges(&mut self, pipeline: &Pipeline) {
        for (ix, edge) in pipeline.indexed_edges() {
            let Some(index) = self.index_of(edge.from) else {
                continue;
            };
            let inside = self.index_of(edge.to) == Some(index);
            if let Some(found) = self.all.get_mut(index) {
                if inside {
                    found.inside.push(ix);
                } else {
                    found.leaving.push(ix);
                }
            }
        }
    }
}

/// Whether a run ends at a node, whatever leaves it.
fn ends(pipeline: &Pipeline, node: NodeIx) -> bool {
    pipeline.node(node).is_some_and(|node| node.terminal)
}

fn self_edges(pipeline: &Pipeline) -> Vec<bool> {
    let mut own = vec![false; pipeline.nodes.len()];
    for edge in &pipeline.edges {
        if edge.from == edge.to
            && !ends(pipeline, edge.from)
            && let Some(slot) = own.get_mut(edge.from.index())
        {
            *slot = true;
        }
    }
    own
}

const UNSEEN: u32 = u32::MAX;

/// The component of each node, by Tarjan's algorithm.
fn components(pipeline: &Pipeline, backs: &[(NodeIx, NodeIx)]) -> Vec<u32> {
    let count = pipeline.nodes.len();
    let mut search = Search {
        marks: vec![Mark::default(); count],
        stack: Vec::new(),
        next_index: 0,
        next_component: 0,
    };
    let mut back_of: Vec<Option<NodeIx>> = vec![None; if backs.is_empty() { 0 } else { count }];
    for (from, to) in backs {
        if let Some(slot) = back_of.get_mut(from.index()) {
            *slot = Some(*to);
        }
    }
    for (root, _) in pipeline.indexed_nodes() {
        if search.mark(root).index == UNSEEN {
            search.visit(pipeline, &back_of, root);
        }
    }
    search.marks.iter().map(|mark| mark.component).collect()
}

/// What the search knows about a node.
#[derive(Clone, Copy)]
struct Mark {
    /// When it was come to.
    index: u32,
    /// The earliest node on the stack that it leads to.
    low: u32,
    /// `UNSEEN` as long as the node is on the stack.
    component: u32,
}

impl Default for Mark {
    fn default() -> Self {
        Self {
            index: UNSEEN,
            low: 0,
            component: UNSEEN,
        }
    }
}

struct Search {
    marks: Vec<Mark>,
    stack: Vec<NodeIx>,
    next_index: u32,
    next_component: u32,
}

impl Search {
    fn visit(&mut self, pipeline: &Pipeline, back_of: &[Option<NodeIx>], root: NodeIx) {
        let mut calls: Vec<(NodeIx, usize)> = vec![(root, 0)];
        self.enter(root);
        while let Some((node, step)) = calls.last_mut() {
            let node = *node;
            let edges = if ends(pipeline, node) {
                &[]
            } else {
                pipeline.outgoing(node)
            };
            let target = match edges.get(*step) {
                Some(edge) => pipeline.edge(*edge).map(|edge| edge.to),
                None if *step == edges.len() => back_of.get(node.index()).copied().flatten(),
                None => None,
            };
            let finished = *step > edges.len();
            *step += 1;
            if let Some(target) = target {
                let there = self.mark(target);
                if there.index == UNSEEN {
                    self.enter(target);
                    calls.push((target, 0));
                } else if there.component == UNSEEN {
                    self.lower(node, there.index);
                }
            }
            if finished {
                calls.pop();
                self.leave(node);
                if let Some((parent, _)) = calls.last() {
                    self.lower(*parent, self.mark(node).low);
                }
            }
        }
    }

    fn mark(&self, node: NodeIx) -> Mark {
        self.marks.get(node.index()).copied().unwrap_or_default()
    }

    fn enter(&mut self, node: NodeIx) {
        if let Some(mark) = self.marks.get_mut(node.index()) {
            mark.index = self.next_index;
            mark.low = self.next_index;
        }
        self.next_index += 1;
        self.stack.push(node);
    }

    fn lower(&mut self, node: NodeIx, to: u32) {
        if let Some(mark) = self.marks.get_mut(node.index()) {
            mark.low = mark.low.min(to);
        }
    }

    fn leave(&mut self, node: NodeIx) {
        let mark = self.mark(node);
        if mark.low != mark.index {
            return;
        }
        while let Some(member) = self.stack.pop() {
            if let Some(mark) = self.marks.get_mut(member.index()) {
                mark.component = self.next_component;
            }
            if member == node {
                break;
            }
        }
        self.next_component += 1;
    }
}
