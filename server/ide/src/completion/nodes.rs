//! Ends of edges and ports.

use attractor_dot::strings;
use attractor_model::catalogue::COMPASS;

use super::edge_scores::EdgeScores;
use super::{CompletionContext, Item, ItemKind, MAX_ITEMS, NodeName};

/// The nodes an edge can lead to, likely ones first.
pub(super) fn edge_end(ctx: &CompletionContext<'_>, from: Option<&str>) -> Vec<Item> {
    let scores = EdgeScores::new(ctx).map(|scores| scores.targets(from));
    let mut items = by_score(ctx, scores.as_deref(), MAX_ITEMS);
    let group = Item::new("{ }", ItemKind::Snippet, ctx.typed(), ctx.cursor.word);
    items.push(
        group
            .text("{ }")
            .snippet("{ $0 }")
            .detail("several nodes")
            .rank(6),
    );
    items
}

/// The nodes a statement can begin with, likely sources of an edge first; `to` is where that edge leads.
pub(super) fn edge_source(ctx: &CompletionContext<'_>, to: Option<&str>, most: usize) -> Vec<Item> {
    let scores = EdgeScores::new(ctx).map(|scores| scores.sources(to));
    by_score(ctx, scores.as_deref(), most)
}

/// The nodes that an attribute of `from` can name, those first that an edge could lead to.
pub(super) fn named(ctx: &CompletionContext<'_>, from: Option<&str>) -> Vec<Item> {
    let scores = EdgeScores::new(ctx).map(|scores| scores.targets(from));
    by_score(ctx, scores.as_deref(), MAX_ITEMS)
}

fn by_score(ctx: &CompletionContext<'_>, scores: Option<&[f64]>, most: usize) -> Vec<Item> {
    let score = |at: usize| {
        scores
            .and_then(|scores| scores.get(at))
            .copied()
            .unwrap_or(0.0)
    };
    let mut nodes: Vec<(bool, f64, NodeName<'_>)> = ctx
        .nodes()
        .map(|node| (!node.begins_as_typed, score(node.index), node))
        .collect();
    let likely = |a: &f64, b: &f64| b.total_cmp(a);
    if nodes.len() > most {
        nodes.sort_by(|a, b| a.0.cmp(&b.0).then(likely(&a.1, &b.1)));
        nodes.truncate(most);
    }
    nodes.sort_by(|a, b| likely(&a.1, &b.1));
    nodes.iter().map(|(_, _, node)| item(ctx, node)).collect()
}

fn item(ctx: &CompletionContext<'_>, node: &NodeName<'_>) -> Item {
    let kind = ctx
        .pipeline()
        .and_then(|pipeline| pipeline.node_by_id(node.id))
        .map_or("", |node| node.kind.name());
    Item::new(node.id, ItemKind::Node, ctx.typed(), ctx.cursor.word)
        .text(strings::quote(node.id))
        .detail(node.label.unwrap_or_default())
        .note(kind)
        .rank(2)
}

/// Compass points, and the ports a record's label gives the node.
pub(super) fn ports(ctx: &CompletionContext<'_>, node: &str) -> Vec<Item> {
    let info = ctx.cursor.graph.and_then(|graph| ctx.doc.graph(graph));
    let label = info.and_then(|info| {
        let node = info.graph.nodes.iter().find(|other| other.id == node)?;
        info.graph.value(node.attributes, "label")
    });
    let item = |name: &str, rank: u8, note: &str| {
        let item = Item::new(name, ItemKind::EnumValue, ctx.typed(), ctx.cursor.word);
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
