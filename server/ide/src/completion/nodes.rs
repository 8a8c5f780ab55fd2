//! Ends of edges and ports.

use attractor_dot::strings;
use attractor_model::catalogue::COMPASS;

use super::{Item, ItemKind, Scene};

/// The nodes an edge can lead to: those it does not lead to yet first, the node itself last.
pub(super) fn edge_end(scene: &Scene<'_>, from: Option<&str>) -> Vec<Item> {
    let mut items = all(scene);
    let info = scene.cursor.graph.and_then(|graph| scene.doc.graph(graph));
    if let Some(info) = info
        && let Some(source) =
            from.and_then(|from| info.graph.nodes.iter().position(|node| node.id == from))
    {
        let word = scene.cursor.word;
        let targets = info
            .graph
            .edges
            .iter()
            .filter(|edge| edge.from() == source && !word.contains_range(edge.to_range));
        let taken: Vec<&str> = targets
            .filter_map(|edge| Some(info.graph.nodes.get(edge.to())?.id.as_str()))
            .collect();
        for item in &mut items {
            if Some(item.label.as_str()) == from {
                item.rank = 4;
            } else if taken.contains(&item.label.as_str()) {
                item.rank = 3;
            }
        }
    }
    let group = Item::new("{ }", ItemKind::Snippet, scene.typed(), scene.cursor.word);
    items.push(
        group
            .text("{ }")
            .snippet("{ $0 }")
            .detail("several nodes")
            .rank(6),
    );
    items
}

/// Every node around the cursor.
pub(super) fn all(scene: &Scene<'_>) -> Vec<Item> {
    let pipeline = scene.pipeline();
    scene
        .node_ids()
        .map(|(id, label)| {
            let kind = pipeline
                .and_then(|pipeline| pipeline.node_by_id(id))
                .map_or("", |node| node.kind.name());
            Item::new(id, ItemKind::Node, scene.typed(), scene.cursor.word)
                .text(strings::quote(id))
                .detail(label.unwrap_or_default())
                .note(kind)
                .rank(2)
        })
        .collect()
}

/// Compass points, and the ports a record's label gives the node.
pub(super) fn ports(scene: &Scene<'_>, node: &str) -> Vec<Item> {
    let info = scene.cursor.graph.and_then(|graph| scene.doc.graph(graph));
    let label = info.and_then(|info| {
        let node = info.graph.nodes.iter().find(|other| other.id == node)?;
        info.graph.value(node.attributes, "label")
    });
    let item = |name: &str, rank: u8, note: &str| {
        let item = Item::new(name, ItemKind::EnumValue, scene.typed(), scene.cursor.word);
        item.text(strings::quote(name)).note(note).rank(rank)
    };
    let named = fields(label.unwrap_or_default()).map(|name| item(name, 1, "port"));
    named
        .chain(COMPASS.iter().map(|name| item(name, 2, "side")))
        .collect()
}

/// The names in angle brackets of a record's label: `<left> a | <right> b`.
fn fields(label: &str) -> impl Iterator<Item = &str> {
    let after_bracket = label.split('<').skip(1);
    after_bracket
        .filter_map(|rest| Some(rest.split_once('>')?.0.trim()))
        .filter(|name| !name.is_empty())
}
