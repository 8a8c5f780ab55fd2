//! The beginning of a statement: blocks to fill in, nodes to go on with, attributes of the graph, keywords.

use super::snippets::{self, Snippet};
use super::{Item, ItemKind, Scene, keys, nodes};

/// Outside every graph: whole graphs.
pub(super) fn file(scene: &Scene<'_>) -> Vec<Item> {
    let keyword =
        |word: &str| Item::new(word, ItemKind::Keyword, scene.typed(), scene.cursor.word).rank(6);
    let whole = snippets::GRAPHS
        .iter()
        .map(|row| snippet(scene, row).rank(1));
    whole
        .chain(["digraph", "graph", "strict"].map(keyword))
        .collect()
}

/// Inside braces.
pub(super) fn statement(scene: &Scene<'_>) -> Vec<Item> {
    let mut items: Vec<Item> = nodes::all(scene);
    if scene.is_directed() {
        items.extend(
            snippets::BLOCKS
                .iter()
                .map(|row| snippet(scene, row).rank(3)),
        );
        items.extend(snippets::nodes().map(|row| snippet(scene, &row).rank(4)));
    }
    items.extend(
        snippets::PLAIN
            .iter()
            .map(|row| snippet(scene, row).rank(5)),
    );
    items.extend(keys::assignments(scene));
    items
}

fn snippet(scene: &Scene<'_>, row: &Snippet) -> Item {
    let item = Item::new(
        row.label,
        ItemKind::Snippet,
        scene.typed(),
        scene.cursor.word,
    );
    let item = item
        .text(snippets::plain(&row.body))
        .snippet(row.body.clone())
        .detail(row.detail);
    match &row.doc {
        Some(key) => item.doc(key.clone()),
        None => item,
    }
}
