//! The beginning of a statement: blocks to fill in, nodes to continue with, attributes of the graph, keywords.

use super::snippets::{self, Snippet};
use super::{CompletionContext, Item, ItemKind, MAX_ITEMS, keys, nodes};

/// The number of nodes offered, so that blocks and attributes are visible, too.
const NODES: usize = 20;

/// Outside every graph: whole graphs.
pub(super) fn file(ctx: &CompletionContext<'_>) -> Vec<Item> {
    let keyword =
        |word: &str| Item::new(word, ItemKind::Keyword, ctx.typed(), ctx.cursor.word).rank(6);
    let whole = snippets::GRAPHS.iter().map(|row| snippet(ctx, row).rank(1));
    // The keywords of graphs are among the blocks.
    whole.chain([keyword("strict")]).collect()
}

/// Inside braces.
pub(super) fn statement(ctx: &CompletionContext<'_>) -> Vec<Item> {
    let rest = ctx
        .doc
        .text
        .get(ctx.cursor.word.end().max(ctx.cursor.offset)..);
    if let Some(rest) = rest.and_then(after_arrow) {
        return nodes::edge_source(ctx, first_word(rest), MAX_ITEMS);
    }
    let mut items: Vec<Item> = nodes::edge_source(ctx, None, NODES);
    if ctx.is_directed() {
        items.extend(snippets::BLOCKS.iter().map(|row| snippet(ctx, row).rank(3)));
        items.extend(snippets::nodes().map(|row| snippet(ctx, &row).rank(4)));
    }
    items.extend(snippets::PLAIN.iter().map(|row| snippet(ctx, row).rank(5)));
    items.extend(keys::assignments(ctx));
    items
}

/// What follows an edge operator, when one comes next on the line.
fn after_arrow(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.strip_prefix("->").or_else(|| rest.strip_prefix("--"))
}

fn first_word(text: &str) -> Option<&str> {
    let text = text.trim_start().trim_start_matches('"');
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
}

fn snippet(ctx: &CompletionContext<'_>, row: &Snippet) -> Item {
    let item = Item::new(row.label, ItemKind::Snippet, ctx.typed(), ctx.cursor.word);
    let item = item
        .text(snippets::plain(&row.body))
        .snippet(row.body.clone())
        .detail(row.detail);
    match &row.doc {
        Some(key) => item.doc(key.clone()),
        None => item,
    }
}
