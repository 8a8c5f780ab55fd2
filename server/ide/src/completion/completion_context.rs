//! What every kind of place needs to know to complete it.

use attractor_dot::TextRange;
use attractor_model::{Files, Pipeline};

use crate::cursor::Cursor;
use crate::document::Document;
use crate::document_symbol;
use crate::workspace_words::WorkspaceWords;

/// More items than this are cut down to those that match what was typed, and of these to the best.
pub(super) const MAX_ITEMS: usize = 60;

/// A node of the graph around the cursor.
pub(super) struct NodeName<'a> {
    /// Its position in the graph.
    pub(super) index: usize,
    pub(super) id: &'a str,
    /// Its label, when that says more than the id.
    pub(super) label: Option<&'a str>,
    pub(super) begins_as_typed: bool,
}

/// What every kind of place needs to know.
pub(super) struct CompletionContext<'a> {
    pub(super) doc: &'a Document,
    pub(super) cursor: &'a Cursor,
    pub(super) files: &'a dyn Files,
    pub(super) words: &'a WorkspaceWords,
}

impl<'a> CompletionContext<'a> {
    /// The nodes around the cursor, of many those that match what is typed.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeName<'a>> {
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

    pub(super) fn pipeline(&self) -> Option<&'a Pipeline> {
        self.doc.pipeline(self.cursor.graph?)
    }

    /// Whether the graph around the cursor is a digraph, so that it is or may become a pipeline.
    pub(super) fn is_directed(&self) -> bool {
        let graph = self
            .cursor
            .graph
            .and_then(|graph| self.doc.parse.file.graphs.get(graph));
        graph.is_some_and(|graph| graph.directed)
    }

    /// The part of the word before the cursor, to be replaced when an item is inserted.
    pub(super) fn typed(&self) -> TextRange {
        TextRange::new(
            self.cursor.word.start().min(self.cursor.offset),
            self.cursor.offset,
        )
    }
}

/// Whether a text begins with what is typed, in any case.
pub(super) fn begins(text: &str, typed: &str) -> bool {
    text.to_lowercase().starts_with(&typed.to_lowercase())
}
