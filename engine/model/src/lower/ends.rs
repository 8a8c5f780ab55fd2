//! Where a run begins and ends.

use attractor_dot::graph::{Graph, Node};

use super::kinds::KindHints;
use super::marks::Ends;
use super::name_roles::NameRoles;
use crate::catalogue::NodeKind;
use crate::options::Dialect;

/// What makes a node a start. The strongest mark of a graph counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartMark {
    /// `start=true`
    Flag,
    /// The shape `Mdiamond`, or the kind `start`.
    Shape,
    /// The id `start`, any case.
    Name,
}

/// The start candidates of the strongest mark, as indices of nodes. A pipeline needs exactly one.
pub fn start_candidates(graph: &Graph, dialect: Dialect) -> (Option<StartMark>, Vec<usize>) {
    let roles = NameRoles::of(graph);
    let nodes = graph.nodes.iter();
    candidates(nodes.map(|node| {
        let hints = KindHints::new(graph, &roles, node);
        start_mark(node, &hints, hints.named(dialect))
    }))
}

fn candidates(marks: impl Iterator<Item = Option<StartMark>>) -> (Option<StartMark>, Vec<usize>) {
    let mut best: Option<StartMark> = None;
    let mut found = Vec::new();
    for (index, mark) in marks.enumerate() {
        let Some(mark) = mark else {
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

fn start_mark(node: &Node, hints: &KindHints<'_>, named: Option<NodeKind>) -> Option<StartMark> {
    if hints.start {
        return Some(StartMark::Flag);
    }
    if named == Some(NodeKind::Start) {
        return Some(StartMark::Shape);
    }
    node.id
        .eq_ignore_ascii_case("start")
        .then_some(StartMark::Name)
}

/// The marks of each node, given the hints of each.
pub(super) fn of_graph(graph: &Graph, hints: &[KindHints<'_>], dialect: Dialect) -> Vec<Ends> {
    let mut leaves = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        if let Some(slot) = leaves.get_mut(edge.from()) {
            *slot = true;
        }
    }
    let nodes = graph.nodes.iter().zip(hints).zip(leaves);
    let mut marks = Vec::with_capacity(graph.nodes.len());
    let ends = nodes.map(|((node, hints), leaves)| {
        let kind = hints.named(dialect);
        marks.push(start_mark(node, hints, kind));
        let named = !leaves
            && (node.id.eq_ignore_ascii_case("exit") || node.id.eq_ignore_ascii_case("end"));
        let explicit = kind == Some(NodeKind::Exit) || named || hints.terminal;
        let implicit = !explicit && !leaves && !hints.branches;
        Ends {
            start: false,
            terminal: explicit || implicit,
            implicit,
        }
    });
    let mut ends: Vec<Ends> = ends.collect();
    if let [only] = *candidates(marks.into_iter()).1
        && let Some(start) = ends.get_mut(only)
    {
        start.start = true;
    }
    ends
}
