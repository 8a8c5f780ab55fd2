//! The edges of a node after an outcome: whether a condition holds, and how often an edge was taken.

use std::collections::{BTreeMap, BTreeSet};

use attractor_lang::condition::{Evaluation, Facts, evaluate};
use attractor_model::Edge;

use super::state::Frame;
use crate::context::View;
use crate::outcome::Outcome;
use crate::plan::NodeRef;

/// What there is to decide on.
#[derive(Clone, Copy)]
pub(crate) struct Crossing<'a> {
    pub(crate) node_ref: NodeRef<'a>,
    pub(crate) frame: &'a Frame,
    pub(crate) view: View<'a>,
    pub(crate) outcome: &'a Outcome,
    /// How often edges with a limit were taken.
    pub(crate) taken: &'a BTreeMap<String, u32>,
    /// Targets that are not ways out here: the branches of a parallel node.
    pub(crate) closed: &'a BTreeSet<String>,
}

/// Whether the node may be tried again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Retries {
    Left,
    Spent,
}

/// The value of an edge's condition; `None` if it has none or it is invalid.
pub(super) fn evaluation(
    at: Crossing<'_>,
    edge: &Edge,
    retries: Retries,
    labels: &[String],
) -> Option<Evaluation> {
    let facts = Facts {
        context: &at.view,
        status: at.outcome.status.clone(),
        retries_left: retries == Retries::Left,
        labels,
    };
    let condition = edge.condition.as_ref()?;
    Some(evaluate(condition, &facts))
}

/// The labels of the edges of a node.
pub(super) fn labels(node_ref: NodeRef<'_>) -> Vec<String> {
    node_ref
        .outgoing()
        .filter_map(|edge| edge.label().map(str::to_owned))
        .collect()
}

/// Whether an edge with `max_visits` was taken that often.
pub(super) fn worn_out(at: Crossing<'_>, edge: &Edge) -> bool {
    edge_limit(at, edge).is_some_and(|(_, most)| times_taken(at, edge) >= most)
}

/// How often an edge with `max_visits` was taken; the others are not counted.
pub(super) fn times_taken(at: Crossing<'_>, edge: &Edge) -> u32 {
    let taken = edge_limit(at, edge).and_then(|(key, _)| at.taken.get(&key));
    taken.copied().unwrap_or(0)
}

/// The key and the limit of an edge with `max_visits`.
pub(super) fn edge_limit(at: Crossing<'_>, edge: &Edge) -> Option<(String, u32)> {
    let most = edge
        .attributes
        .get("max_visits")
        .and_then(|attribute| attribute.value().trim().parse::<u32>().ok())
        .filter(|most| *most > 0)?;
    let to = at.node_ref.pipeline.id(edge.to);
    let label = edge.label().unwrap_or_default();
    let condition = edge.condition_text().unwrap_or_default();
    let look = format!("{}->{to}#{label}#{condition}", at.node_ref.node.id);
    Some((at.frame.key(&look), most))
}
