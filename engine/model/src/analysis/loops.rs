//! The loops of a pipeline: its strongly connected components with more than one step.
//!
//! Tarjan's algorithm with an explicit stack: time and memory O(n + e) for n nodes and e edges.

use rustc_hash::FxHashSet;

use super::paths::loop_backs;
use crate::groups::Groups;
use crate::pipeline::{EdgeIx, NodeIx, Pipeline};

/// A set of nodes a run can go round in.
#[derive(Clone, Copy, Debug)]
pub struct Loop<'l> {
    /// Its nodes in the order they are declared.
    pub nodes: &'l [NodeIx],
    /// Edges between its nodes.
    pub inside: &'l [EdgeIx],
    /// Edges that leave it.
    pub leaving: &'l [EdgeIx],
    /// Whether only counted loops make it one: no edges go round.
    pub counted: bool,
}

/// Every loop of a pipeline.
#[derive(Clone, Debug)]
pub struct Loops {
    nodes: Groups<NodeIx>,
    /// For each loop the edges inside, then those that leave it.
    edges: Groups<EdgeIx>,
    /// For each loop, whether it is counted.
    counted: Vec<bool>,
    /// The loop of each node; [`NONE`] where there is none.
    of_node: Vec<u32>,
}

/// The number of a loop that is not there.
const NONE: u32 = u32::MAX;

impl Loops {
    /// Finds the loops over edges and counted loops. Retry targets make none: the engine counts those jumps.
    pub fn of(pipeline: &Pipeline) -> Self {
        let backs = loop_backs(pipeline);
        let component = components(pipeline, &backs);
        let comes_back = self_edges(pipeline);
        let mut size = vec![0_u32; component.len()];
        for component in &component {
            if let Some(size) = size.get_mut(*component as usize) {
                *size += 1;
            }
        }
        // Numbers in the order of the first node.
        let mut number = vec![NONE; component.len()];
        let mut count = 0;
        let mut of_node = vec![NONE; component.len()];
        let mut nodes = Vec::new();
        for (index, component) in component.iter().map(|it| *it as usize).enumerate() {
            let round = size.get(component).is_some_and(|size| *size > 1)
                || comes_back.get(index).copied().unwrap_or(false);
            let Some(number) = number.get_mut(component).filter(|_| round) else {
                continue;
            };
            if *number == NONE {
                *number = count;
                count += 1;
            }
            nodes.push((*number, NodeIx::new(index)));
            if let Some(slot) = of_node.get_mut(index) {
                *slot = *number;
            }
        }
        let count = count as usize;
        let mut loops = Self {
            edges: Groups::new(2 * count, &edges(pipeline, &of_node)),
            nodes: Groups::new(count, &nodes),
            counted: vec![false; count],
            of_node,
        };
        loops.mark_counted(pipeline, &backs, &comes_back);
        loops
    }

    /// The loops, by their first node.
    pub fn all(&self) -> impl Iterator<Item = Loop<'_>> {
        self.counted
            .iter()
            .enumerate()
            .map(|(index, counted)| Loop {
                nodes: self.nodes.of(index),
                inside: self.edges.of(2 * index),
                leaving: self.edges.of(2 * index + 1),
                counted: *counted,
            })
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
            let mut seen = FxHashSet::default();
            let counted = self.nodes.of(index).iter().all(|ix| {
                !comes_back.get(ix.index()).copied().unwrap_or(false)
                    && seen.insert(by_edges.get(ix.index()).copied().unwrap_or(UNSEEN))
            });
            if let Some(slot) = self.counted.get_mut(index) {
                *slot = counted;
            }
        }
    }

    /// Whether a run can go round through both nodes.
    pub fn share_one(&self, left: NodeIx, right: NodeIx) -> bool {
        self.index_of(left)
            .is_some_and(|index| self.index_of(right) == Some(index))
    }

    fn index_of(&self, node: NodeIx) -> Option<usize> {
        let number = self.of_node.get(node.index()).copied();
        Some(number.filter(|number| *number != NONE)? as usize)
    }
}

/// The edges of loops in the order written, as [`Loops::edges`] has them.
fn edges(pipeline: &Pipeline, of_node: &[u32]) -> Vec<(u32, EdgeIx)> {
    let number = |node: NodeIx| of_node.get(node.index()).copied().unwrap_or(NONE);
    let mut edges = Vec::new();
    for (ix, edge) in pipeline.indexed_edges() {
        let from = number(edge.from);
        if from != NONE {
            let leaves = u32::from(number(edge.to) != from);
            edges.push((2 * from + leaves, ix));
        }
    }
    edges
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
    /// The order of discovery.
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

/// The steps from a node that are still to be looked at.
struct Steps<'p> {
    node: NodeIx,
    targets: std::iter::Copied<std::slice::Iter<'p, NodeIx>>,
    /// Back to the beginning of a counted loop.
    back: Option<NodeIx>,
}

struct Search {
    marks: Vec<Mark>,
    stack: Vec<NodeIx>,
    next_index: u32,
    next_component: u32,
}

impl Search {
    fn visit(&mut self, pipeline: &Pipeline, back_of: &[Option<NodeIx>], root: NodeIx) {
        let steps = |node: NodeIx| Steps {
            node,
            targets: if ends(pipeline, node) {
                [].iter().copied()
            } else {
                pipeline.successors(node)
            },
            back: back_of.get(node.index()).copied().flatten(),
        };
        let mut calls = vec![steps(root)];
        self.enter(root);
        while let Some(call) = calls.last_mut() {
            let node = call.node;
            if let Some(target) = call.targets.next().or_else(|| call.back.take()) {
                let there = self.mark(target);
                if there.index == UNSEEN {
                    self.enter(target);
                    calls.push(steps(target));
                } else if there.component == UNSEEN {
                    self.lower(node, there.index);
                }
                continue;
            }
            calls.pop();
            let low = self.leave(node);
            if let Some(parent) = calls.last() {
                self.lower(parent.node, low);
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

    /// Closes the component of a node that leads to none before it; gives the earliest node it leads to.
    fn leave(&mut self, node: NodeIx) -> u32 {
        let mark = self.mark(node);
        if mark.low != mark.index {
            return mark.low;
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
        mark.low
    }
}
