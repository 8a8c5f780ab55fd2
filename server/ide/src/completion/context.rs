//! Context keys: which ones may be set when a run reaches the cursor, by which node, and whether on every path.
//!
//! In a node that is what arrives there; on an edge also what the edge's source sets itself. Where the cursor
//! belongs to no node, every key of the graph is offered.

use attractor_model::analysis::{Arriving, Keys, Paths};
use attractor_model::catalogue::{CONTEXT_KEYS, ContextKeyRow, Setter};
use attractor_model::{NodeIx, Pipeline};

use super::documentation::Doc;
use super::word::word;
use super::{CompletionContext, Item, ItemKind};
use crate::cursor::ListOwner;
use crate::embedded_value::ValuePart;
use crate::symbol_index::{OccurrenceKind, SymbolKey};

/// Nodes listed with a key before the rest becomes `…`.
const NAMED: usize = 2;

/// The keys that can be set at the cursor, as items.
pub(super) fn keys(
    ctx: &CompletionContext<'_>,
    head: &ListOwner,
    inside: &ValuePart<'_>,
) -> Vec<Item> {
    let place = ctx.pipeline().and_then(|pipeline| {
        let at = pipeline.by_id(source(head)?)?;
        Some((pipeline, at))
    });
    let Some((pipeline, at)) = place else {
        return anywhere(ctx, inside);
    };
    let keys = Keys::of(pipeline, &Paths::of(pipeline));
    let mut arriving = keys.on_arrival(pipeline, at);
    if matches!(head, ListOwner::Edge(..)) {
        let own = keys.set_by(pipeline, at);
        arriving.retain(|known| own.iter().all(|own| own.key != known.key));
        arriving.extend(own);
    }
    let known = arriving.iter().filter(|key| !is_of_the_end(&key.key));
    let mut items: Vec<(usize, Item)> = known.map(|key| arrived(pipeline, key, inside)).collect();
    items.sort_by_key(|(place, item)| (item.rank, *place));
    items.into_iter().map(|(_, item)| item).collect()
}

/// The node whose results a condition or template sees first: the source of an edge, or the node itself.
pub(super) fn source(head: &ListOwner) -> Option<&str> {
    match head {
        ListOwner::Node(id) | ListOwner::Edge(Some(id), _) => Some(id),
        _ => None,
    }
}

/// An item and its place in the catalogue, where what is used most comes first.
fn arrived(pipeline: &Pipeline, key: &Arriving, inside: &ValuePart<'_>) -> (usize, Item) {
    let place = place_of(pipeline, key);
    let row = place.and_then(|place| CONTEXT_KEYS.get(place));
    let item = word(&key.key, ItemKind::Key, inside);
    let item = match row {
        Some(row) => item.note(row.ty).doc(Doc::name(row.name)),
        None => item,
    };
    let (detail, rank) = match (&*key.setters, row) {
        ([], Some(row)) => (row.doc.to_owned(), rank(row)),
        ([], None) => ("set at launch".to_owned(), 2),
        (setters, row) => {
            let verb = if key.must { "set by" } else { "may be set by" };
            let detail = format!("{verb} {}", named(pipeline, setters));
            // `output.build` is one of many; `stdout` is what the node before is known for.
            let of_node = row.is_some_and(|row| row.name != key.key);
            (detail, if of_node { 4 } else { 2 })
        }
    };
    (place.unwrap_or(0), item.detail(detail).rank(rank))
}

/// Every key the graph sets somewhere, and those of the catalogue.
fn anywhere(ctx: &CompletionContext<'_>, inside: &ValuePart<'_>) -> Vec<Item> {
    let names = ctx.doc.symbol_index();
    let own = names.iter().filter_map(|name| match name {
        SymbolKey::Key(graph, key) if Some(*graph) == ctx.cursor.graph => {
            let is_set = names
                .of(name)
                .any(|place| place.role == OccurrenceKind::Declaration);
            is_set.then_some(key)
        }
        _ => None,
    });
    let own = own.map(|key| {
        word(key, ItemKind::Key, inside)
            .detail("set in this graph")
            .rank(2)
    });
    let mut items: Vec<Item> = own.collect();
    let rows = CONTEXT_KEYS.iter().filter(|row| {
        !row.name.contains(|c: char| c.is_ascii_uppercase()) && !is_of_the_end(row.name)
    });
    for row in rows {
        if !items.iter().any(|item| item.label == row.name) {
            let item = word(row.name, ItemKind::Key, inside)
                .detail(row.doc)
                .note(row.ty);
            items.push(item.doc(Doc::name(row.name)).rank(rank(row)));
        }
    }
    items
}

/// Keys that are only set when the run is over; nothing in the graph sees them.
fn is_of_the_end(key: &str) -> bool {
    let mut rows = CONTEXT_KEYS.iter();
    rows.any(|row| row.name == key && matches!(row.setter, Setter::End))
}

/// Where the catalogue has a key, also one that holds a node's name.
fn place_of(pipeline: &Pipeline, key: &Arriving) -> Option<usize> {
    let ids = key.setters.iter().filter_map(|node| pipeline.node(*node));
    let general = |id: &str| Some(format!("{}NODE", key.key.strip_suffix(id)?));
    let mut names =
        std::iter::once(key.key.clone()).chain(ids.filter_map(|node| general(&node.id)));
    names.find_map(|name| CONTEXT_KEYS.iter().position(|row| row.name == name))
}

fn rank(row: &ContextKeyRow) -> u8 {
    match row.name {
        "outcome" => 0,
        name if name.starts_with('_') || name.starts_with("internal.") => 5,
        _ => 3,
    }
}

/// `build`, `test`, …
fn named(pipeline: &Pipeline, nodes: &[NodeIx]) -> String {
    let ids = nodes.iter().filter_map(|node| pipeline.node(*node));
    let ids: Vec<String> = ids
        .take(NAMED)
        .map(|node| format!("`{}`", node.id))
        .collect();
    let more = if nodes.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", ids.join(", "))
}
