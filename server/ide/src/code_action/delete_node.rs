//! A node goes, and what led to it leads to what came after it.
//!
//! The new edges have the attributes of those that led to the node: they decide when they are taken. Offered where one
//! node comes after it, ways for failures and ways back left aside, and nothing but edges names it.

use attractor_dot::{Edit, TextRange};
use attractor_model::{Files, NodeIx, NodeKind, Pipeline};

use super::node_statements::{NodeStatements, chains};
use super::{Action, ActionKind, adds_errors, chain, delete_statement, outcome, replace_statement};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// Deletes the node under the cursor.
pub(super) fn and_reconnect(
    doc: &Document,
    spot: SyntaxElement<'_>,
    files: &dyn Files,
) -> Option<Action> {
    let SyntaxElement::Node { graph, node } = spot else {
        return None;
    };
    let id = doc.decode(&node.id);
    let pipeline = doc.pipeline(graph)?;
    let ix = pipeline.by_id(&id)?;
    let is_work = !matches!(
        pipeline.node(ix)?.kind,
        NodeKind::Start | NodeKind::Exit | NodeKind::Parallel | NodeKind::FanIn
    );
    let has_way_in = pipeline.predecessors(ix).any(|before| before != ix);
    if !is_work || pipeline.start == Some(ix) || !has_way_in {
        return None;
    }
    let next = pipeline.id(next(pipeline, ix)?);
    let statements = NodeStatements::of(doc, graph, &id)?;
    let is_there = |from: &str| {
        let mut edges = pipeline.edges.iter();
        edges.any(|edge| {
            (pipeline.id(edge.from), pipeline.id(edge.to)) == (from, next)
                && edge.attributes.iter().next().is_none()
        })
    };
    let declarations = statements.declarations.iter();
    let mut edits: Vec<Edit> = declarations
        .map(|declaration| delete_statement(&doc.text, declaration.range))
        .collect();
    for (edge, nodes) in &statements.edges {
        let attributes = chain::attribute_text(doc, edge);
        let lines = chains(nodes, &attributes, |from, to| {
            let is_new = || from != next && !(attributes.is_empty() && is_there(from));
            match to == id {
                _ if from == id => None,
                true => is_new().then(|| (from.to_owned(), next.to_owned())),
                false => Some((from.to_owned(), to.to_owned())),
            }
        });
        edits.push(replace_statement(&doc.text, edge.range, &lines));
    }
    edits.sort_by_key(|edit| edit.range);
    if overlap(&edits) || adds_errors(doc, &edits, files) {
        return None;
    }
    let title = format!("Delete `{id}` and connect what leads to it to `{next}`");
    Some(Action::edit(title, ActionKind::Rewrite, edits))
}

/// The one node that comes after another when its work is done.
fn next(pipeline: &Pipeline, ix: NodeIx) -> Option<NodeIx> {
    let edges = pipeline.outgoing(ix).iter();
    let edges = edges.filter_map(|edge| pipeline.edge(*edge));
    let ways_on = edges.filter(|edge| {
        let condition = edge.condition.as_deref();
        !condition.is_some_and(outcome::is_of_failure)
    });
    let mut targets: Vec<NodeIx> = ways_on.map(|edge| edge.to).filter(|to| *to != ix).collect();
    targets.sort_unstable();
    targets.dedup();
    if targets.len() > 1 {
        targets.retain(|to| pipeline.predecessors(ix).all(|before| before != *to));
    }
    match targets.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Whether two edits meet, as those of statements on one line may.
fn overlap(sorted: &[Edit]) -> bool {
    let range = |edit: &Edit| -> TextRange { edit.range };
    let mut pairs = sorted.windows(2);
    pairs.any(|pair| matches!(pair, [one, two] if range(one).end() > range(two).start()))
}
