//! A bounded second and third try on an edge.

use attractor_dot::Edit;
use attractor_dot::ast::EdgeEnd;

use super::{Action, ActionKind, indent, line_end};
use crate::document::Document;
use crate::walk::SyntaxElement;

/// How often the node is tried again.
const TRIES: u32 = 3;

/// `work -> next` becomes a way on for success and a bounded way back for failure. Offered for the only edge of a
/// node that can fail, where the edge is a statement of its own without attributes.
pub(super) fn on_edge(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let SyntaxElement::Operator { graph, edge, .. } = spot else {
        return None;
    };
    let ([from, to], []) = (&*edge.ends, &*edge.attributes) else {
        return None;
    };
    let single = |end: &EdgeEnd| match end {
        EdgeEnd::Nodes(nodes) if nodes.len() == 1 => nodes.first().map(|node| node.id),
        _ => None,
    };
    let (from, to) = (single(from)?, single(to)?);
    let pipeline = doc.pipeline(graph)?;
    let node = pipeline.node_by_id(&doc.decode(&from))?;
    let edges = pipeline.edges.iter();
    let mut out = edges.filter(|edge| pipeline.id(edge.from) == &*node.id);
    let is_only = out.next().is_some() && out.next().is_none();
    if !node.kind.does_work() || !is_only {
        return None;
    }
    let (from, to) = (from.range.text(&doc.text), to.range.text(&doc.text));
    let lines = [
        format!("{from} -> {to} [condition=\"outcome=success\"]"),
        format!("{from} -> {from} [condition=\"outcome=fail\", max_visits={TRIES}]"),
    ];
    let separator = format!(
        "{}{}",
        line_end(&doc.text),
        indent(&doc.text, edge.range.start())
    );
    Some(Action::edit(
        "Insert retry loop on this edge",
        ActionKind::Insert,
        vec![Edit::replace(edge.range, lines.join(&separator))],
    ))
}
