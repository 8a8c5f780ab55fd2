//! Inside stylesheets: selectors before a brace, properties in it, values after a colon.

use std::ops::Range;

use attractor_model::NodeKind;
use attractor_model::catalogue::{self, NODE_KINDS, Owner};
use attractor_model::lang::stylesheet::{self, Place};

use super::documentation::Doc;
use super::word::word;
use super::{Item, ItemKind, Scene, values};
use crate::cursor::Head;
use crate::inside::Inside;
use crate::names::Name;

/// What can stand at the cursor in a stylesheet.
pub(super) fn stylesheet(scene: &Scene<'_>, inside: &Inside<'_>) -> Vec<Item> {
    let text = format!("{}{}", inside.before, inside.after);
    let cursor = inside.before.len();
    let part = |replace: &Range<usize>| {
        inside.part(
            replace.start.min(cursor),
            replace.end.saturating_sub(cursor),
        )
    };
    match stylesheet::place_at(&text, cursor) {
        Place::Selector { mark, replace } => {
            let marked = replace.start - mark.map_or(0, char::len_utf8)..replace.end;
            selectors(scene, &part(&marked))
        }
        Place::Property { replace } => properties(&part(&replace)),
        Place::Value { property, replace } => property_values(scene, &property, &part(&replace)),
    }
}

fn selectors(scene: &Scene<'_>, inside: &Inside<'_>) -> Vec<Item> {
    let item = |text: String, kind: ItemKind, rank: u8| word(&text, kind, inside).rank(rank);
    let here = scene.cursor.graph;
    let mut items = vec![item("*".into(), ItemKind::Operator, 1).detail("every node")];
    for name in scene.doc.names().iter() {
        if let Name::Class(graph, class) = name
            && Some(*graph) == here
        {
            items.push(item(format!(".{class}"), ItemKind::Class, 2).detail("nodes of this class"));
        }
    }
    for row in NODE_KINDS {
        items.push(
            item(row.name.to_owned(), ItemKind::NodeKind, 3)
                .detail(row.summary)
                .doc(Doc::kind(row.kind)),
        );
    }
    items.extend(scene.node_ids().map(|(id, label)| {
        item(format!("#{id}"), ItemKind::Node, 4).detail(label.unwrap_or("this node"))
    }));
    items
}

/// What a model call can be told, first; then everything a node can carry.
fn properties(inside: &Inside<'_>) -> Vec<Item> {
    const USUAL: [&str; 9] = [
        "model",
        "provider",
        "reasoning_effort",
        "temperature",
        "max_tokens",
        "timeout",
        "max_retries",
        "fidelity",
        "backend",
    ];
    let all = catalogue::attributes_for(Owner::Node(NodeKind::Codergen))
        .filter(|row| row.prefix().is_none());
    all.map(|row| {
        let usual = USUAL
            .iter()
            .position(|name| *name == row.name)
            .and_then(|place| u8::try_from(place / 3).ok());
        let item = word(row.name, ItemKind::Attribute, inside).text(format!("{}: ", row.name));
        item.note(row.ty.name())
            .doc(Doc::attribute(row))
            .retrigger()
            .rank(usual.unwrap_or(5))
    })
    .collect()
}

fn property_values(scene: &Scene<'_>, property: &str, inside: &Inside<'_>) -> Vec<Item> {
    let row = catalogue::attribute(Owner::Node(NodeKind::Codergen), property);
    row.map_or_else(Vec::new, |row| {
        values::typed(scene, &Head::Around, row.ty, inside)
    })
}
