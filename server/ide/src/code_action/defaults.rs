//! Attributes of many nodes: said once in `node [...]`, or on each of them.

use std::collections::BTreeMap;

use attractor_dot::ast::{Attr, AttrList, DefaultsTarget, NodeStmt, Stmt};
use attractor_dot::{Edit, TextRange};

use super::{Action, ActionKind, delete_statement, indent, line_end, means_the_same};
use crate::document::Document;
use crate::walk::{self, AttributeOwner, SyntaxElement};

/// Moves `key=value` into `node [key=value]` at the beginning of the graph, when every node of the graph
/// writes it itself, so that nothing changes. Shapes stay: a shape of its own counts more than an inherited one.
pub(super) fn lift(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let (SyntaxElement::Key(site) | SyntaxElement::Value(site)) = spot else {
        return None;
    };
    if !matches!(site.holder, AttributeOwner::Nodes(_)) {
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
        format!("Extract `{pair}` to node defaults"),
        ActionKind::Rewrite,
        edits,
    ))
}

/// Writes what `node [...]` under the cursor says on each node that inherits it, and removes it. Offered where every
/// such node has a statement of its own and the pipeline means the same afterwards.
pub(super) fn inline(doc: &Document, spot: SyntaxElement<'_>) -> Option<Action> {
    let SyntaxElement::Defaults(DefaultsTarget::Node, keyword) = spot else {
        return None;
    };
    let (number, path) = walk::around(&doc.parse.file, keyword.start())?;
    let defaults = path.last()?.range();
    let graph = &doc.graph(number)?.graph;
    let mut statements: BTreeMap<TextRange, Vec<&str>> = BTreeMap::new();
    for node in &graph.nodes {
        let inherited = graph.list(node.attributes).iter();
        let inherited =
            inherited.filter(|own| own.inherited && defaults.contains_range(own.range()));
        for attribute in inherited {
            let pair = attribute.range().text(&doc.text);
            let pairs = statements
                .entry(graph.definition(node)?.statement)
                .or_default();
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    let mut edits = vec![delete_statement(&doc.text, defaults)];
    let mut found = 0;
    walk::statements(&doc.parse.file, |_, _, statement| {
        if let (Stmt::Node(node), Some(pairs)) = (statement, statements.get(&statement.range())) {
            found += 1;
            edits.push(with(node, &pairs.join(", ")));
        }
    });
    edits.sort_by_key(|edit| edit.range);
    let complete = found > 0 && found == statements.len();
    (complete && means_the_same(doc, &edits)).then(|| {
        let what = if found == 1 { "node" } else { "nodes" };
        let title = format!("Inline node defaults into {found} {what}");
        Action::edit(title, ActionKind::Inline, edits)
    })
}

/// Adds attributes to a statement.
fn with(node: &NodeStmt, pairs: &str) -> Edit {
    let end = node.attributes.iter().next_back();
    match end.map(|list| (list, list.items.last())) {
        Some((_, Some(item))) => Edit::insert(item.range().end(), format!(", {pairs}")),
        Some((list, None)) => Edit::insert(list.range.start() + 1, pairs),
        None => Edit::insert(node.range.end(), format!(" [{pairs}]")),
    }
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
