//! Completion, from the catalogue and the graph.
//!
//! [`complete`] asks the cursor what is being typed and hands over to one file per kind of place: statements,
//! attribute names, values, and the languages inside strings. Short lists are offered unfiltered, since editors
//! filter by their own rules; of long ones the best that match what was typed so far. Documentation is
//! asked for later, by [`documentation`].

mod completion_context;
mod condition_words;
mod conditions;
mod context;
mod documentation;
mod edge_scores;
mod item;
mod keys;
mod kinds;
mod nodes;
mod paths;
mod snippets;
mod statements;
mod stylesheets;
mod templates;
#[cfg(test)]
mod tests;
mod typed_values;
mod values;
mod vocabulary;
mod word;

use attractor_dot::TextRange;
use attractor_model::Files;

pub use documentation::documentation;
pub(crate) use documentation::graphviz as graphviz_page;
pub use item::{Item, ItemKind};

use self::completion_context::{CompletionContext, MAX_ITEMS, NodeName, begins};
use crate::cursor::{Cursor, CursorContext};
use crate::document::Document;
use crate::document_symbol;
use crate::workspace_words::WorkspaceWords;

/// The completions at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The items, best first.
    pub items: Vec<Item>,
    /// Whether more letters would bring up items that are not in the list.
    pub incomplete: bool,
}

/// What is possible at an offset. `files` are the files around the document, `words` those of its workspace.
pub fn complete(
    doc: &Document,
    offset: usize,
    files: &dyn Files,
    words: &WorkspaceWords,
) -> Completions {
    let cursor = Cursor::new(doc, offset);
    let ctx = CompletionContext {
        doc,
        cursor: &cursor,
        files,
        words,
    };
    let nodes = cursor
        .graph
        .and_then(|graph| doc.graph(graph))
        .map_or(0, |info| info.graph.nodes.len());
    let items = match &cursor.place {
        CursorContext::Nothing => Vec::new(),
        CursorContext::File => statements::file(&ctx),
        CursorContext::Statement => statements::statement(&ctx),
        CursorContext::EdgeEnd { from } => nodes::edge_end(&ctx, from.as_deref()),
        CursorContext::Port { node } => nodes::ports(&ctx, node),
        CursorContext::Key {
            head,
            siblings,
            previous,
        } => keys::names(&ctx, head, siblings, previous.as_deref()),
        CursorContext::Value {
            head,
            key,
            siblings,
            value,
        } => {
            let owner = keys::owner(&ctx, head, siblings);
            values::values(&ctx, head, owner, (key, siblings), value.as_ref())
        }
    };
    let mut completions = limited(items, doc, offset);
    completions.incomplete |= nodes > MAX_ITEMS;
    completions
}

/// The items in their order, the best of those that match what is typed when there are many.
fn limited(mut items: Vec<Item>, doc: &Document, offset: usize) -> Completions {
    for item in &mut items {
        // A word that is typed without quotes finds one that is written with them.
        let is_quoted = item.text.starts_with('"') && item.text != item.label;
        if is_quoted && item.filter.is_none() && text_at(doc, item.insert.start()) == Some(b'"') {
            item.filter = Some(item.text.clone());
        }
    }
    items.sort_by_key(|item| item.rank);
    let mut incomplete = false;
    if items.len() > MAX_ITEMS {
        let typed = |item: &Item| {
            let typed = TextRange::new(item.insert.start(), offset).text(&doc.text);
            typed.trim_matches('"').to_owned()
        };
        items.retain(|item| document_symbol::matches(&typed(item), item.filter_text()));
        incomplete = items.len() > MAX_ITEMS;
        // What begins with the letters typed is never cut off in favour of what only contains them.
        items.sort_by_key(|item| !begins(item.filter_text(), &typed(item)));
        items.truncate(MAX_ITEMS);
        items.sort_by_key(|item| item.rank);
    }
    for (index, item) in items.iter_mut().enumerate() {
        item.sort = format!("{index:03}");
    }
    Completions { items, incomplete }
}

fn text_at(doc: &Document, offset: usize) -> Option<u8> {
    doc.text.as_bytes().get(offset).copied()
}
