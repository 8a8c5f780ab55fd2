//! A node of another kind: it keeps the attributes that the new kind has.

use attractor_dot::ast::{Attr, AttrList, NodeStmt};
use attractor_dot::{Edit, TextRange, strings};
use attractor_model::catalogue::{self, Owner};
use attractor_model::{Files, NodeKind};

use super::{Action, ActionKind, adds_errors};
use crate::document::Document;
use crate::walk::{AttributeOwner, SyntaxElement};

/// The kinds a node can become without a change of its edges.
const KINDS: [NodeKind; 4] = [
    NodeKind::Codergen,
    NodeKind::Prompt,
    NodeKind::Tool,
    NodeKind::HumanGate,
];

/// Other kinds for the node whose shape or handler is under the cursor.
pub(super) fn change(doc: &Document, spot: SyntaxElement<'_>, files: &dyn Files) -> Vec<Action> {
    let (SyntaxElement::Key(site) | SyntaxElement::Value(site)) = spot else {
        return Vec::new();
    };
    let AttributeOwner::Nodes(statement) = site.holder else {
        return Vec::new();
    };
    let Some(kind) = kind_of(doc, site.graph, statement) else {
        return Vec::new();
    };
    if !KINDS.contains(&kind) || role(&doc.decode(&site.attr.key)).is_none() {
        return Vec::new();
    }
    let others = KINDS.into_iter().filter(|other| *other != kind);
    let actions = others.filter_map(|to| {
        let (edits, dropped) = edits(doc, statement, kind, to);
        let dropped: Vec<_> = dropped.iter().map(|name| format!("`{name}`")).collect();
        let drops = match dropped.as_slice() {
            [] => String::new(),
            names => format!(", dropping {}", names.join(", ")),
        };
        let title = format!("Change to `{}`{drops}", to.name());
        (!adds_errors(doc, &edits, files)).then(|| Action::edit(title, ActionKind::Rewrite, edits))
    });
    actions.collect()
}

/// The kind of the one node of a statement.
fn kind_of(doc: &Document, graph: usize, statement: &NodeStmt) -> Option<NodeKind> {
    let [node] = statement.nodes.as_slice() else {
        return None;
    };
    let node = doc.pipeline(graph)?.node_by_id(&doc.decode(&node.id))?;
    Some(node.kind)
}

/// What an attribute has to do with the kind of its node.
enum Role {
    Shape,
    Handler,
}

fn role(key: &str) -> Option<Role> {
    match key {
        "shape" => Some(Role::Shape),
        "handler" | "type" | "node_type" | "handler_type" => Some(Role::Handler),
        _ => None,
    }
}

/// The changes of a statement, and the names of the attributes that go.
fn edits(
    doc: &Document,
    statement: &NodeStmt,
    from: NodeKind,
    to: NodeKind,
) -> (Vec<Edit>, Vec<String>) {
    let goes = |attr: &Attr| {
        let key = doc.decode(&attr.key);
        let is_of = |kind| catalogue::attribute(Owner::Node(kind), &key).is_some();
        role(&key).is_none() && is_of(from) && !is_of(to)
    };
    let mut edits = Vec::new();
    let mut dropped = Vec::new();
    let mut has_command = false;
    for list in &statement.attributes {
        for attr in &list.items {
            let key = doc.decode(&attr.key);
            has_command |= key == "command";
            let word = match role(&key) {
                Some(Role::Shape) => to.row().and_then(|row| row.shapes.first().copied()),
                Some(Role::Handler) => Some(to.name()),
                None => None,
            };
            if let (Some(word), Some(value)) = (word, attr.value) {
                edits.push(Edit::replace(value.range, strings::quote(word)));
            }
        }
        let gone = list.items.iter().filter(|attr| goes(attr));
        dropped.extend(gone.map(|attr| doc.decode(&attr.key).into_owned()));
        edits.extend(without(list, &goes));
    }
    // A tool cannot do without one.
    if to == NodeKind::Tool && !has_command {
        let last = statement.attributes.iter().next_back();
        if let Some(list) = last {
            let at = list
                .items
                .first()
                .map_or(list.range.start() + 1, |item| item.range().start());
            edits.push(Edit::insert(
                at,
                "command=\"echo 'not written yet' && exit 1\", ",
            ));
        }
    }
    edits.sort_by_key(|edit| edit.range);
    (edits, dropped)
}

/// Deletes items of a list, each run of them with one of the separators around it. The first or the last item stays.
fn without(list: &AttrList, goes: &impl Fn(&Attr) -> bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut last_kept: Option<TextRange> = None;
    let mut run: Option<TextRange> = None;
    for item in &list.items {
        if goes(item) {
            run = Some(run.map_or(item.range(), |run| run.cover(item.range())));
            continue;
        }
        if let Some(run) = run.take() {
            edits.push(Edit::delete(TextRange::new(
                run.start(),
                item.range().start(),
            )));
        }
        last_kept = Some(item.range());
    }
    if let Some(run) = run {
        let start = last_kept.map_or(run.start(), TextRange::end);
        edits.push(Edit::delete(TextRange::new(start, run.end())));
    }
    edits
}
