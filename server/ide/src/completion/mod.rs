//! Completion: what can stand at the cursor, from the catalogue and the graph.
//!
//! [`complete`] asks the cursor what is being typed and hands over to one file per kind of place: statements,
//! attribute names, values, and the languages inside strings. Everything is offered unfiltered, since editors
//! filter by their own taste; only very long lists are cut down to what was typed so far. Documentation is
//! asked for later, by [`documentation`].

mod conditions;
mod context;
mod documentation;
mod item;
mod keys;
mod nodes;
mod paths;
mod snippets;
mod statements;
mod stylesheets;
mod templates;
#[cfg(test)]
mod tests;
mod values;
mod word;

use attractor_dot::TextRange;
use attractor_model::Files;

pub use documentation::documentation;
pub(crate) use documentation::graphviz as graphviz_page;
pub use item::{Item, ItemKind};

use crate::cursor::{Cursor, Place};
use crate::document::Document;
use crate::symbols;

/// What can stand at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The items, best first.
    pub items: Vec<Item>,
    /// Whether more letters would bring up items that are not in the list.
    pub incomplete: bool,
}

/// More items than this are cut down to those that match what was typed.
const LIMIT: usize = 500;

/// What can stand at an offset. `files` are the files beside the document.
pub fn complete(doc: &Document, offset: usize, files: &dyn Files) -> Completions {
    let cursor = Cursor::new(doc, offset);
    let scene = Scene {
        doc,
        cursor: &cursor,
        files,
    };
    let nodes = cursor
        .graph
        .and_then(|graph| doc.graph(graph))
        .map_or(0, |info| info.graph.nodes.len());
    let items = match &cursor.place {
        Place::Nothing => Vec::new(),
        Place::File => statements::file(&scene),
        Place::Statement => statements::statement(&scene),
        Place::EdgeEnd { from } => nodes::edge_end(&scene, from.as_deref()),
        Place::Port { node } => nodes::ports(&scene, node),
        Place::Key { head, siblings } => keys::names(&scene, head, siblings),
        Place::Value {
            head,
            key,
            siblings,
            value,
        } => {
            let owner = keys::owner(&scene, head, siblings);
            values::values(&scene, head, owner, key, value.as_ref())
        }
    };
    let mut completions = limited(items, doc, offset);
    completions.incomplete |= nodes > LIMIT;
    completions
}

fn limited(mut items: Vec<Item>, doc: &Document, offset: usize) -> Completions {
    let incomplete = items.len() > LIMIT;
    if incomplete {
        let typed = |item: &Item| {
            TextRange::new(item.insert.start(), offset)
                .text(&doc.text)
                .trim_matches('"')
                .to_owned()
        };
        items.retain(|item| {
            symbols::matches(&typed(item), item.filter.as_deref().unwrap_or(&item.label))
        });
        items.truncate(LIMIT);
    }
    for (index, item) in items.iter_mut().enumerate() {
        item.sort = format!("{}{index:04}", item.rank);
    }
    items.sort_by(|a, b| a.sort.cmp(&b.sort));
    Completions { items, incomplete }
}

/// What every kind of place needs to know.
struct Scene<'a> {
    doc: &'a Document,
    cursor: &'a Cursor,
    files: &'a dyn Files,
}

impl<'a> Scene<'a> {
    /// The ids of the nodes around the cursor, with their labels.
    fn node_ids(&self) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        let info = self.cursor.graph.and_then(|graph| self.doc.graph(graph));
        let nodes = info.into_iter().flat_map(|info| &info.graph.nodes);
        // A node that only the word under the cursor names is no candidate for that word.
        let word = self.cursor.word;
        let named_elsewhere = move |node: &&attractor_dot::graph::Node| {
            let graph = info.map(|info| &info.graph);
            graph
                .into_iter()
                .flat_map(|graph| graph.mentions(node))
                .any(|mention| !word.contains_range(mention.range))
        };
        // Of very many nodes only those that match what was typed; the list says that it is not complete.
        let count = info.map_or(0, |info| info.graph.nodes.len());
        let typed = self.typed().text(&self.doc.text);
        let typed = typed
            .rsplit(['"', ',', ' ', '#'])
            .next()
            .unwrap_or_default();
        let is_wanted = move |id: &str| count <= LIMIT || symbols::matches(typed, id);
        let wanted = nodes
            .filter(move |node| is_wanted(&node.id))
            .filter(named_elsewhere);
        wanted.take(2 * LIMIT).map(move |node| {
            let label = info.and_then(|info| info.graph.value(node.attributes, "label"));
            (
                node.id.as_str(),
                label.filter(|label| *label != "\\N" && *label != node.id),
            )
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
