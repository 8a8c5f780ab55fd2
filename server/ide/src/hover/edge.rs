//! An edge: when it is taken.

use std::fmt::Write;

use attractor_dot::TextRange;
use attractor_lang::condition;
use attractor_model::{Edge, NodeKind, Pipeline};

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
    let order = pipeline.outgoing(edge.from);
    let mut text = format!("Taken {}.", when(pipeline, edge));
    if let Some(condition) = &edge.condition {
        let _ = write!(text, "\n\nThat is when {}.", condition::explain(condition));
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

/// When an edge is taken, in a few words.
pub(super) fn when(pipeline: &Pipeline, edge: &Edge) -> String {
    let is_lone = pipeline.outgoing(edge.from).len() == 1;
    let is_choice = pipeline
        .node(edge.from)
        .is_some_and(|node| node.kind == NodeKind::HumanGate);
    match (edge.condition_text(), edge.label()) {
        (Some(condition), _) => format!("when {}", code(condition)),
        _ if is_lone && !is_choice && !edge.freeform => "always".to_owned(),
        (None, Some(label)) => format!(
            "for the label {}, or when no other edge matches",
            code(label)
        ),
        (None, None) if edge.freeform => "for a typed answer".to_owned(),
        (None, None) if is_lone => "always".to_owned(),
        (None, None) => "when no other condition is true".to_owned(),
    }
}
