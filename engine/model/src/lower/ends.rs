//! Where a run begins and ends.

use attractor_dot::graph::{Graph, Node};

use super::dialect::kind_of_shape;
use crate::catalogue::{NodeKind, values};
use crate::options::Dialect;

/// What makes a node a start. The strongest mark of a graph counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StartMark {
    /// `start=true`
    Flag,
    /// The shape `Mdiamond`, or the kind `start`.
    Shape,
    /// The id `start`, any case.
    Name,
}

/// What a node is for the ends of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    pub(super) start: bool,
    pub(super) terminal: bool,
    /// Terminal only because no edge leaves it.
    pub(super) implicit: bool,
}

impl Ends {
    /// The kind these marks give a node that has no work of its own.
    pub(super) fn kind(self) -> Option<NodeKind> {
        if self.start {
            Some(NodeKind::Start)
        } else if self.terminal && !self.implicit {
            Some(NodeKind::Exit)
        } else {
            None
        }
    }
}

/// The start candidates of the strongest mark, as indices of nodes. One is what a pipeline needs.
pub(crate) fn start_candidates(graph: &Graph, dialect: Dialect) -> (Option<StartMark>, Vec<usize>) {
    candidates(
        graph,
        graph.nodes.iter().map(|node| said(graph, node, dialect)),
    )
}

fn candidates(
    graph: &Graph,
    said: impl Iterator<Item = Option<NodeKind>>,
) -> (Option<StartMark>, Vec<usize>) {
    let mut best: Option<StartMark> = None;
    let mut found = Vec::new();
    for (index, (node, said)) in graph.nodes.iter().zip(said).enumerate() {
        let Some(mark) = start_mark(graph, node, said) else {
            continue;
        };
        if best.is_none_or(|other| mark < other) {
            best = Some(mark);
            found.clear();
        }
        if best == Some(mark) {
            found.push(index);
        }
    }
    (best, found)
}

fn start_mark(graph: &Graph, node: &Node, said: Option<NodeKind>) -> Option<StartMark> {
    if flag(graph, node, "start") == Some(true) {
        return Some(StartMark::Flag);
    }
    if said == Some(NodeKind::Start) {
        return Some(StartMark::Shape);
    }
    node.id
        .eq_ignore_ascii_case("start")
        .then_some(StartMark::Name)
}

/// The marks of each node.
pub(super) fn of_graph(graph: &Graph, dialect: Dialect) -> Vec<Ends> {
    let mut leaves = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        if let Some(slot) = leaves.get_mut(edge.from) {
            *slot = true;
        }
    }
    let said: Vec<_> = graph
        .nodes
        .iter()
        .map(|node| said(graph, node, dialect))
        .collect();
    let start = match candidates(graph, said.iter().copied()).1.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let nodes = graph.nodes.iter().zip(said).zip(leaves).enumerate();
    nodes
        .map(|(index, ((node, said), leaves))| {
            let named = !leaves
                && (node.id.eq_ignore_ascii_case("exit") || node.id.eq_ignore_ascii_case("end"));
            let explicit = said == Some(NodeKind::Exit)
                || named
                || flag(graph, node, "terminal") == Some(true);
            let implicit = !explicit && !leaves && !super::kinds::branches(graph, node);
            Ends {
                start: start == Some(index),
                terminal: explicit || implicit,
                implicit,
            }
        })
        .collect()
}

fn flag(graph: &Graph, node: &Node, name: &str) -> Option<bool> {
    values::boolean(graph.value(node.attributes, name)?)
}

/// The kind a node names, or that of its shape when it names none.
fn said(graph: &Graph, node: &Node, dialect: Dialect) -> Option<NodeKind> {
    match super::kinds::explicit(graph, node) {
        Some(named) => NodeKind::from_name(named.trim()),
        None => kind_of_shape(dialect, graph.value(node.attributes, "shape")?),
    }
}
