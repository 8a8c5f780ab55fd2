//! Completion, from the catalogue and the graph.
//!
//! [`complete`] asks the cursor what is being typed and hands over to one file per kind of place: statements,
//! attribute names, values, and the languages inside strings. Short lists are offered unfiltered, since editors
//! filter by their own rules; of long ones the best that match what was typed so far. Documentation is
//! asked for later, by [`documentation`].

mod conditions;
mod context;
mod documentation;
mod item;
mod keys;
mod kinds;
mod neighbours;
mod nodes;
mod paths;
mod snippets;
mod spoken;
mod statements;
mod stylesheets;
mod templates;
#[cfg(test)]
mod tests;
mod values;
mod vocabulary;
mod word;

use attractor_dot::TextRange;
use attractor_model::Files;

pub use documentation::documentation;
pub(crate) use documentation::graphviz as graphviz_page;
pub use item::{Item, ItemKind};

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

/// More items than this are cut down to those that match what was typed, and of these to the best.
const MAX_ITEMS: usize = 60;

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

fn begins(text: &str, typed: &str) -> bool {
    text.to_lowercase().starts_with(&typed.to_lowercase())
}

/// A node of the graph around the cursor.
struct NodeName<'a> {
    /// Its position in the graph.
    index: usize,
    id: &'a str,
    /// Its label, when that says more than the id.
    label: Option<&'a str>,
    begins_as_typed: bool,
}

/// What every kind of place needs to know.
struct CompletionContext<'a> {
    doc: &'a Document,
    cursor: &'a Cursor,
    files: &'a dyn Files,
    words: &'a WorkspaceWords,
}

impl<'a> CompletionContext<'a> {
    /// The nodes around the cursor, of many those that match what is typed.
    fn nodes(&self) -> impl Iterator<Item = NodeName<'a>> {
        let info = self.cursor.graph.and_then(|graph| self.doc.graph(graph));
        let nodes = info.into_iter().flat_map(|info| &info.graph.nodes);
        let count = info.map_or(0, |info| info.graph.nodes.len());
        let typed = self.typed().text(&self.doc.text);
        let typed = typed
            .rsplit(['"', ',', ' ', '#'])
            .next()
            .unwrap_or_default();
        let is_wanted = move |id: &str| count <= MAX_ITEMS || document_symbol::matches(typed, id);
        // A node that only the word under the cursor names is not a candidate for that word.
        let word = self.cursor.word;
        let is_named_elsewhere = move |node: &attractor_dot::graph::Node| {
            let graph = info.map(|info| &info.graph);
            graph
                .into_iter()
                .flat_map(|graph| graph.occurrences(node))
                .any(|mention| !word.contains_range(mention.range))
        };
        let wanted = nodes
            .enumerate()
            .filter(move |(_, node)| is_wanted(&node.id) && is_named_elsewhere(node));
        wanted.map(move |(index, node)| {
            let label = info.and_then(|info| info.graph.value(node.attributes, "label"));
            NodeName {
                index,
                id: node.id.as_str(),
                label: label.filter(|label| *label != "\\N" && *label != node.id),
                begins_as_typed: begins(&node.id, typed),
            }
        })
    }

    fn pipeline(&self) -> Option<&'a attractor_model::Pipeline> {
        self.doc.pipeline(self.cursor.graph?)
    }

    /// Whether the graph around the cursor is a digraph, so that it is or may become a pipeline.
    fn is_directed(&self) -> bool {
        let graph = self
            .cursor
            .graph
            .and_then(|graph| self.doc.parse.file.graphs.get(graph));
        graph.is_some_and(|graph| graph.directed)
    }

    /// The part of the word before the cursor, to be replaced when an item is inserted.
    fn typed(&self) -> TextRange {
        TextRange::new(
            self.cursor.word.start().min(self.cursor.offset),
            self.cursor.offset,
        )
    }
}
