//! A way for the failure of a node that has none.

use std::collections::BTreeMap;

use attractor_dot::{Edit, strings};
use attractor_model::{Files, Node, NodeIx, NodeKind, Pipeline};

use super::{Action, ActionKind, adds_errors, free_name, indent, line_end, outcome, word};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// Adds an edge for the failure of the node under the cursor: to the node that handles other failures, and to a new
/// human gate. For nodes whose edges have no conditions; where one is for success, its counterpart is added elsewhere.
pub(super) fn add(doc: &Document, spot: SyntaxElement<'_>, files: &dyn Files) -> Vec<Action> {
    let SyntaxElement::Node { graph, node } = spot else {
        return Vec::new();
    };
    let id = doc.decode(&node.id);
    let found = doc.pipeline(graph).and_then(|pipeline| {
        let ix = pipeline.by_id(&id)?;
        Some((pipeline, ix, pipeline.node(ix)?))
    });
    let Some((pipeline, ix, node)) = found else {
        return Vec::new();
    };
    let can_fail = node.kind.does_work() || node.kind == NodeKind::Pipeline;
    let edges = pipeline.outgoing(ix).iter();
    let mut edges = edges.filter_map(|edge| pipeline.edge(*edge));
    if !can_fail || node.start || edges.any(|edge| edge.condition_text().is_some()) {
        return Vec::new();
    }
    let from = strings::quote(&node.id);
    let existing = handler(pipeline, ix).map(|to| {
        let line = format!(
            "{from} -> {} [condition=\"outcome=fail\"]",
            strings::quote(to)
        );
        let title = format!("Add error path from `{id}` to `{to}`");
        (title, vec![line])
    });
    let gate = gate(doc, graph, pipeline, (ix, node)).map(|lines| {
        let title = format!("Add error path from `{id}` to a new human gate");
        (title, lines)
    });
    let actions = existing.into_iter().chain(gate);
    let actions = actions.filter_map(|(title, lines)| {
        let edits = vec![after_edges(doc, pipeline, ix, &lines)?];
        (!adds_errors(doc, &edits, files)).then(|| Action::edit(title, ActionKind::Insert, edits))
    });
    actions.collect()
}

/// The node that most failures of other nodes lead to.
fn handler(pipeline: &Pipeline, ix: NodeIx) -> Option<&str> {
    let mut counts: BTreeMap<NodeIx, usize> = BTreeMap::new();
    for edge in &pipeline.edges {
        let condition = edge.condition.as_deref();
        if condition.is_some_and(outcome::is_of_failure) && edge.to != ix {
            *counts.entry(edge.to).or_default() += 1;
        }
    }
    let is_end = |to: &NodeIx| pipeline.node(*to).is_some_and(|node| node.terminal);
    let handlers = counts.into_iter().filter(|(to, _)| !is_end(to));
    let most = handlers.max_by_key(|(to, count)| (*count, std::cmp::Reverse(*to)))?;
    Some(pipeline.id(most.0))
}

/// A gate that asks whether to try again or to stop.
fn gate(
    doc: &Document,
    graph: usize,
    pipeline: &Pipeline,
    (ix, node): (NodeIx, &Node),
) -> Option<Vec<String>> {
    let from = strings::quote(&node.id);
    let gate = free_name(doc, graph, &format!("{}_failed", word(&node.id)));
    let mut exits = pipeline
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Exit);
    let (label, to) = match (exits.next(), exits.next()) {
        (Some(exit), None) => ("[S] Stop", &*exit.id),
        _ => ("[C] Continue", pipeline.id(pipeline.successors(ix).next()?)),
    };
    let prompt = strings::escape_into_quoted(&format!("`{}` failed. Try again?", node.id));
    Some(vec![
        format!("{gate} [shape=hexagon, prompt=\"{prompt}\"]"),
        format!("{from} -> {gate} [condition=\"outcome=fail\"]"),
        format!("{gate} -> {from} [label=\"[R] Retry\"]"),
        format!("{gate} -> {} [label=\"{label}\"]", strings::quote(to)),
    ])
}

/// Adds statements after the last edge that leaves a node.
fn after_edges(doc: &Document, pipeline: &Pipeline, ix: NodeIx, lines: &[String]) -> Option<Edit> {
    let edges = pipeline.outgoing(ix).iter();
    let edges = edges.filter_map(|edge| pipeline.edge(*edge));
    let last = edges.map(|edge| edge.statement).max()?;
    let separator = format!("{}{}", line_end(&doc.text), indent(&doc.text, last.start()));
    let after = doc.text.get(last.end()..).unwrap_or_default();
    let at = last.end() + usize::from(after.starts_with(';'));
    let lines = lines.iter().map(|line| format!("{separator}{line}"));
    Some(Edit::insert(at, lines.collect::<String>()))
}
