//! An edge: when it is taken, and what a failure of its node does.

use std::fmt::Write;

use attractor_dot::TextRange;
use attractor_lang::condition;
use attractor_model::analysis::{Branches, FailureRoute, Paths, failure_route, shadowed_by};
use attractor_model::{Edge, NodeIx, NodeKind, Pipeline};

use super::{code, id};
use crate::document::Document;

/// The page of the edges that an operator makes.
pub(super) fn page(doc: &Document, graph: usize, operator: TextRange) -> Option<String> {
    let info = doc.graph(graph)?;
    let made: Vec<usize> = {
        let all = info.graph.edges.iter().enumerate();
        all.filter(|(_, edge)| edge.operator() == operator)
            .map(|(index, _)| index)
            .take(LIMIT)
            .collect()
    };
    let mut page = String::new();
    for index in made {
        let edge = info.graph.edges.get(index)?;
        let (from, to) = (
            info.graph.nodes.get(edge.from())?,
            info.graph.nodes.get(edge.to())?,
        );
        let _ = writeln!(page, "**{} → {}**\n", id(&from.id), id(&to.id));
        if let Some(pipeline) = info.pipeline.as_deref()
            && let Some(edge) = of_pipeline(pipeline, &from.id, &to.id, edge.range)
        {
            let _ = writeln!(page, "{}\n", explain(pipeline, edge));
        }
    }
    (!page.is_empty()).then_some(page)
}

/// A product of two subgraphs makes many edges; this many are listed.
const LIMIT: usize = 6;

fn of_pipeline<'p>(
    pipeline: &'p Pipeline,
    from: &str,
    to: &str,
    statement: TextRange,
) -> Option<&'p Edge> {
    let (from, to) = (pipeline.by_id(from)?, pipeline.by_id(to)?);
    let edges = pipeline
        .outgoing(from)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge));
    edges
        .filter(|edge| edge.to == to)
        .find(|edge| edge.statement == statement || statement.contains_range(edge.range()))
}

fn explain(pipeline: &Pipeline, edge: &Edge) -> String {
    if starts_branch(pipeline, edge) {
        return format!(
            "Starts a branch. The branches of {} run concurrently.",
            id(pipeline.id(edge.from))
        );
    }
    let order = pipeline.outgoing(edge.from);
    let mut text = format!("Taken {}.", when(pipeline, edge));
    if let Some(condition) = &edge.condition {
        let _ = write!(text, "\n\nThat is when {}.", condition::explain(condition));
    }
    if let Some(failure) = failure(pipeline, edge.from) {
        let _ = write!(text, "\n\n{failure}");
    }
    let place = order.iter().position(|other| {
        pipeline
            .edge(*other)
            .is_some_and(|other| std::ptr::eq(other, edge))
    });
    if let Some(place) = place.filter(|_| order.len() > 1) {
        let _ = write!(
            text,
            "\n\nNumber {} of {} in routing order",
            place + 1,
            order.len()
        );
        if edge.priority != 0 || edge.weight != 0 {
            let _ = write!(
                text,
                " (priority {}, weight {})",
                edge.priority, edge.weight
            );
        }
        text.push('.');
    }
    if edge.loop_restart {
        text.push_str("\n\nTaking it restarts the run there with a fresh context.");
    }
    text
}

/// Whether an edge is a branch of a parallel node.
pub(super) fn starts_branch(pipeline: &Pipeline, edge: &Edge) -> bool {
    pipeline.node(edge.from).is_some_and(|node| {
        node.kind == NodeKind::Parallel && node.attributes.list("branches").is_empty()
    })
}

/// What a failure of a node does.
pub(super) fn failure(pipeline: &Pipeline, ix: NodeIx) -> Option<String> {
    let node = pipeline.node(ix)?;
    let name = id(&node.id);
    match failure_route(pipeline, ix) {
        FailureRoute::Never => None,
        FailureRoute::Stops => Some(format!("A failure of {name} ends the run.")),
        FailureRoute::Continues => Some(format!(
            "After a failure of {name} the run continues as after a success."
        )),
        FailureRoute::Retries(target) => Some(format!(
            "After a failure of {name} the run continues at the retry target {}.",
            id(pipeline.id(target))
        )),
        FailureRoute::Edges(edges) => {
            let edges = edges.iter().filter_map(|edge| pipeline.edge(*edge));
            let mut targets: Vec<String> = Vec::new();
            for target in edges.map(|edge| id(pipeline.id(edge.to))) {
                if !targets.contains(&target) {
                    targets.push(target);
                }
            }
            targets.truncate(LIMIT);
            Some(format!(
                "A failure of {name} leads to {}.",
                targets.join(" or ")
            ))
        }
    }
}

/// When an edge is taken, in a few words.
pub(super) fn when(pipeline: &Pipeline, edge: &Edge) -> String {
    let is_lone = pipeline.outgoing(edge.from).len() == 1;
    let is_choice = pipeline
        .node(edge.from)
        .is_some_and(|node| node.kind == NodeKind::HumanGate);
    if let Some(condition) = edge.condition_text() {
        return format!("when {}", code(condition));
    }
    let is_in_branch = |node| Branches::of(pipeline, &Paths::of(pipeline)).is_inside(node);
    if let Some(first) = shadowed_by(pipeline, edge, is_in_branch) {
        return format!(
            "never: the edge to {} comes first and has no condition",
            id(pipeline.id(first.to))
        );
    }
    let on_failure = match failure_route(pipeline, edge.from) {
        FailureRoute::Never | FailureRoute::Continues | FailureRoute::Edges(_) => "",
        FailureRoute::Stops | FailureRoute::Retries(_) => "after a success",
    };
    match edge.label() {
        _ if is_lone && !is_choice && !edge.freeform && on_failure.is_empty() => {
            "always".to_owned()
        }
        _ if is_lone && !is_choice && !edge.freeform => on_failure.to_owned(),
        Some(label) => format!(
            "for the label {}, or when no other edge matches",
            code(label)
        ),
        None if edge.freeform => "for a typed answer".to_owned(),
        None if is_lone => "always".to_owned(),
        None if has_conditions(pipeline, edge) => "when no other condition is true".to_owned(),
        None if on_failure.is_empty() => "when no other edge is chosen".to_owned(),
        None => format!("{on_failure}, when no other edge is chosen"),
    }
}

/// Whether other edges of the same node have conditions.
fn has_conditions(pipeline: &Pipeline, edge: &Edge) -> bool {
    let others = pipeline.outgoing(edge.from).iter();
    let mut others = others.filter_map(|other| pipeline.edge(*other));
    others.any(Edge::is_conditional)
}
