//! An attribute that every node of the graph repeats, said once.

use attractor_dot::ast::{Attr, AttrList, Stmt};
use attractor_dot::{Edit, TextRange};

use super::{Action, ActionKind, indent, line_end};
use crate::document::Document;
use crate::walk::{self, Holder, Spot};

/// Moves `key=value` into `node [key=value]` at the beginning of the graph, when every node of the graph
/// writes it itself, so that nothing changes. Shapes stay: a shape of its own counts more than an inherited one.
pub(super) fn lift(doc: &Document, spot: Spot<'_>) -> Option<Action> {
    let (Spot::Key(site) | Spot::Value(site)) = spot else {
        return None;
    };
    if !matches!(site.holder, Holder::Nodes(_)) {
        return None;
    }
    let key = doc.decode(&site.attr.key);
    let value = doc.decode(&site.attr.value?);
    if matches!(&*key, "shape" | "label" | "start" | "terminal") {
        return None;
    }
    let info = doc.graph(site.graph)?;
    let says_it = |node: &attractor_dot::graph::Node| {
        let own = info.graph.find(node.attributes, &key);
        own.is_some_and(|own| !own.inherited && info.graph.value_of(own) == value)
    };
    if info.graph.nodes.len() < 3 || !info.graph.nodes.iter().all(says_it) {
        return None;
    }
    let mut edits = Vec::new();
    walk::statements(&doc.parse.file, |graph, _, statement| {
        if let (Stmt::Node(node), true) = (statement, graph == site.graph) {
            for list in &node.attributes {
                edits.extend(without(doc, list, |item| doc.decode(&item.key) == key));
            }
        }
    });
    let body = &doc.parse.file.graphs.get(site.graph)?.body;
    let first = body.statements.first()?.range().start();
    let pair = site.attr.range().text(&doc.text);
    let line = format!(
        "node [{pair}]{}{}",
        line_end(&doc.text),
        indent(&doc.text, first)
    );
    edits.push(Edit::insert(first, line));
    edits.sort_by_key(|edit| edit.range);
    Some(Action::edit(
        format!("Lift `{pair}` into `node [...]`"),
        ActionKind::Rewrite,
        edits,
    ))
}

/// Takes the items of a list out that `is_meant`: with the separator after them, or before the last one. A list
/// that would be empty goes as a whole.
fn without(doc: &Document, list: &AttrList, is_meant: impl Fn(&Attr) -> bool) -> Vec<Edit> {
    if list.items.iter().all(&is_meant) {
        let before = doc.text.get(..list.range.start()).unwrap_or_default();
        let start = before.trim_end_matches([' ', '\t']).len();
        return vec![Edit::delete(TextRange::new(start, list.range.end()))];
    }
    let mut edits = Vec::new();
    for (number, item) in list
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| is_meant(item))
    {
        let next = list.items.get(number + 1);
        let previous = number
            .checked_sub(1)
            .and_then(|before| list.items.get(before));
        let range = match (next, previous) {
            (Some(next), _) => TextRange::new(item.range().start(), next.range().start()),
            (None, Some(previous)) => TextRange::new(previous.range().end(), item.range().end()),
            (None, None) => item.range(),
        };
        edits.push(Edit::delete(range));
    }
    edits
}
