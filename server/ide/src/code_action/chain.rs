//! `a -> b -> c` ↔ `a -> b` and `b -> c`.

use attractor_dot::ast::{EdgeEnd, EdgeStmt, Stmt};
use attractor_dot::{Edit, TextRange};

use super::{Action, ActionKind, indent, line_end};
use crate::document::Document;
use crate::walk::{self, SyntaxElement};

/// Writes each edge of a chain as a statement of its own. Chains over subgraphs stay: their text would open
/// a subgraph twice.
pub(super) fn split(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let edge = edge_at(doc, spot)?;
    if edge.ends.len() < 3 || !edge.ends.iter().all(|end| matches!(end, EdgeEnd::Nodes(_))) {
        return None;
    }
    let attributes = attribute_text(doc, edge);
    let separator = format!(
        ";{}{}",
        line_end(&doc.text),
        indent(&doc.text, edge.range.start())
    );
    let pairs = edge.ends.windows(2).zip(edge.operators.iter());
    let single: Vec<String> = pairs
        .filter_map(|(pair, operator)| {
            let [from, to] = pair else { return None };
            let text = |range: TextRange| range.text(&doc.text);
            Some(format!(
                "{} {} {}{attributes}",
                text(from.range()),
                text(operator.range()),
                text(to.range())
            ))
        })
        .collect();
    let edit = Edit::replace(edge.range, single.join(&separator));
    Some(Action::edit(
        "Split edge chain",
        ActionKind::Rewrite,
        vec![edit],
    ))
}

/// Joins an edge with the statement after it when that continues where this one ends, with the same attributes.
pub(super) fn join(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let edge = edge_at(doc, spot)?;
    let next = statement_after(doc, edge.range)?;
    let Stmt::Edge(next) = next else { return None };
    let (last, first) = (edge.ends.last()?, next.ends.first()?);
    let is_node = |end: &EdgeEnd| matches!(end, EdgeEnd::Nodes(nodes) if nodes.len() == 1);
    let continues = is_node(last) && last.range().text(&doc.text) == first.range().text(&doc.text);
    let between = TextRange::new(edge.range.end(), next.range.start()).text(&doc.text);
    let only_separators = between.chars().all(|c| c.is_whitespace() || c == ';');
    if !continues || !only_separators || attribute_text(doc, edge) != attribute_text(doc, next) {
        return None;
    }
    let rest = TextRange::new(first.range().end(), next.range.end()).text(&doc.text);
    let edit = Edit::replace(TextRange::new(last.range().end(), next.range.end()), rest);
    Some(Action::edit(
        "Join with next edge",
        ActionKind::Rewrite,
        vec![edit],
    ))
}

/// The edge statement under the cursor: on one of its operators or nodes.
fn edge_at<'d>(doc: &'d Document, spot: SyntaxElement<'d>) -> Option<&'d EdgeStmt> {
    match spot {
        SyntaxElement::Operator { edge, .. } => Some(edge),
        SyntaxElement::Node { node, .. } => {
            match walk::around(&doc.parse.file, node.id.range.start())?
                .1
                .last()?
            {
                Stmt::Edge(edge) => Some(edge),
                _ => None,
            }
        }
        _ => None,
    }
}

fn statement_after(doc: &Document, range: TextRange) -> Option<&Stmt> {
    let (number, path) = walk::around(&doc.parse.file, range.start())?;
    let around = path.len().checked_sub(2).and_then(|at| path.get(at));
    let subgraph = around.and_then(|statement| {
        walk::subgraphs(statement).find(|subgraph| subgraph.range.contains_range(range))
    });
    let block = match subgraph {
        Some(subgraph) => subgraph.body.as_ref()?,
        None => &doc.parse.file.graphs.get(number)?.body,
    };
    let after = block
        .statements
        .partition_point(|statement| statement.range().start() <= range.start());
    block.statements.get(after)
}

/// The attribute lists as they are written, with a space before them; empty when there are none.
pub(super) fn attribute_text(doc: &Document, edge: &EdgeStmt) -> String {
    let lists = edge
        .attributes
        .iter()
        .map(|list| format!(" {}", list.range.text(&doc.text)));
    lists.collect()
}
