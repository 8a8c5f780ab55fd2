//! Why no edge of a node can be taken, for the person who has to correct one of the conditions.

use attractor_model::Edge;

use super::crossing::{Crossing, Retries, evaluation, labels, times_taken, worn_out};
use crate::transition::reasons;

/// Edges that are named; a node with more has the rest counted.
const MOST_EDGES: usize = 8;

/// Characters of a value that are shown.
const MOST_CHARACTERS: usize = 60;

/// The reason: each edge with its condition and the values it saw.
pub(super) fn reason(at: Crossing<'_>) -> String {
    let edges: Vec<&Edge> = at
        .node_ref
        .outgoing()
        .filter(|edge| !at.closed.contains(at.node_ref.pipeline.id(edge.to)))
        .collect();
    let named = edges.iter().take(MOST_EDGES);
    let whys: Vec<String> = named.map(|edge| why_not(at, edge)).collect();
    let outcome = at.outcome;
    let failed = outcome.failure_reason.as_deref();
    reasons::no_route(
        &at.node_ref.node.id,
        failed.filter(|_| outcome.status.is_failure()),
        &whys,
        edges.len() - whys.len(),
    )
}

fn why_not(at: Crossing<'_>, edge: &Edge) -> String {
    let to = at.node_ref.pipeline.id(edge.to);
    if worn_out(at, edge) {
        return reasons::edge_limit_reached(to, times_taken(at, edge));
    }
    let condition = edge.condition_text().unwrap_or_default();
    let Some(found) = evaluation(at, edge, Retries::Spent, &labels(at.node_ref)) else {
        return reasons::condition_unreadable(to, condition);
    };
    let mut seen: Vec<String> = Vec::new();
    for (key, value) in found.clauses.into_iter().flat_map(|clause| clause.operands) {
        let value = match value.to_json() {
            serde_json::Value::Null => "not set".to_owned(),
            value => shortened(&value.to_string()),
        };
        let said = format!("{key} is {value}");
        if !seen.contains(&said) {
            seen.push(said);
        }
    }
    reasons::condition_does_not_hold(to, condition, &seen)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
