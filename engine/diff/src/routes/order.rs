//! Nodes whose edges are tried in another order although none of them has changed: by a new name of a target, or by retries
//! of the node.

use attractor_lang::Status;
use attractor_lang::condition::{Condition, Domain, Literal, satisfiable};
use attractor_model::{Edge, NodeIx, NodeKind, Pipeline};

use crate::difference::{Change, ChangeKind, Subject};
use crate::topic::Topic;
use crate::versions::{OldEdges, Versions};

/// An edge, and its place in the old order.
type RankedEdge<'p> = (usize, &'p Edge);

/// The nodes with another order, where the order decides.
pub(super) fn compare_orders(
    Versions { old, new, .. }: Versions<'_>,
    old_edges: &OldEdges,
) -> Vec<Change> {
    let ranks = ranks(old);
    let nodes = new.indexed_nodes();
    // All branches are taken, and a person chooses.
    let in_order =
        nodes.filter(|(_, node)| !matches!(node.kind, NodeKind::Parallel | NodeKind::HumanGate));
    let changes = in_order.filter_map(|(ix, node)| {
        let mut edges = ranked(new, ix, old_edges, &ranks);
        if !is_reordered(&edges) {
            return None;
        }
        let targets = |edges: &[RankedEdge<'_>]| {
            let ids = edges.iter().map(|(_, edge)| new.id(edge.to));
            Some(ids.collect::<Vec<_>>().join(", "))
        };
        let subject = Subject::node(&node.id);
        let mut change = Change::new(Topic::Routes, ChangeKind::Reordered, subject);
        change.new = targets(&edges);
        edges.sort_by_key(|(rank, _)| *rank);
        change.old = targets(&edges);
        Some(change)
    });
    changes.collect()
}

/// Of each edge its place among those that leave its node.
fn ranks(pipeline: &Pipeline) -> Vec<usize> {
    let mut ranks = vec![0; pipeline.edges.len()];
    for (ix, _) in pipeline.indexed_nodes() {
        for (at, edge) in pipeline.outgoing(ix).iter().enumerate() {
            if let Some(rank) = ranks.get_mut(edge.index()) {
                *rank = at;
            }
        }
    }
    ranks
}

/// The edges that leave a node and have not changed, in their new order.
fn ranked<'p>(
    new: &'p Pipeline,
    ix: NodeIx,
    old_edges: &OldEdges,
    ranks: &[usize],
) -> Vec<RankedEdge<'p>> {
    let outgoing = new.outgoing(ix).iter();
    let ranked = outgoing.filter_map(|ix| {
        let old = old_edges.get(ix.index()).copied().flatten()?;
        Some((*ranks.get(old.index())?, new.edge(*ix)?))
    });
    ranked.collect()
}

/// Whether two edges that can be true together have changed places.
fn is_reordered(edges: &[RankedEdge<'_>]) -> bool {
    let mut later = edges.iter();
    while let Some((rank, edge)) = later.next() {
        let mut overtaken = later.as_slice().iter().filter(|(other, _)| other < rank);
        if overtaken.any(|(_, other)| edge.to != other.to && can_hold_together(edge, other)) {
            return true;
        }
    }
    false
}

fn can_hold_together(one: &Edge, other: &Edge) -> bool {
    let always = Condition::default();
    let literals = [one, other].map(|edge| Literal {
        condition: edge.condition.as_deref().unwrap_or(&always),
        holds: true,
    });
    let domain = Domain {
        outcomes: &Status::KNOWN,
        known: &|_| None,
        labels: &[],
    };
    !satisfiable(&literals, &domain).is_unsatisfiable()
}
