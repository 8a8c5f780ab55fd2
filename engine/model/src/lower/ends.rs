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
    let mut best: Option<StartMark> = None;
    let mut found = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let Some(mark) = start_mark(node, dialect) else {
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

fn start_mark(node: &Node, dialect: Dialect) -> Option<StartMark> {
    if flag(node, "start") == Some(true) {
        return Some(StartMark::Flag);
    }
    if names_kind(node, NodeKind::Start) || has_shape(node, dialect, NodeKind::Start) {
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
    let start = match start_candidates(graph, dialect).1.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    graph
        .nodes
        .iter()
        .zip(leaves)
        .enumerate()
        .map(|(index, (node, leaves))| {
            let named = !leaves
                && (node.id.eq_ignore_ascii_case("exit") || node.id.eq_ignore_ascii_case("end"));
            let explicit = flag(node, "terminal") == Some(true)
                || names_kind(node, NodeKind::Exit)
                || has_shape(node, dialect, NodeKind::Exit)
                || named;
            let implicit = !explicit && !leaves && node.attribute("branches").is_none();
            Ends {
                start: start == Some(index),
                terminal: explicit || implicit,
                implicit,
            }
        })
        .collect()
}

fn flag(node: &Node, name: &str) -> Option<bool> {
    values::boolean(&node.attribute(name)?.value)
}

fn names_kind(node: &Node, kind: NodeKind) -> bool {
    super::kinds::explicit(node)
        .is_some_and(|attribute| NodeKind::from_name(attribute.value.trim()) == Some(kind))
}

/// An explicit handler wins over the shape.
fn has_shape(node: &Node, dialect: Dialect, kind: NodeKind) -> bool {
    super::kinds::explicit(node).is_none()
        && node
            .attribute("shape")
            .is_some_and(|attribute| kind_of_shape(dialect, &attribute.value) == Some(kind))
}
