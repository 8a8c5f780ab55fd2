//! The call hierarchy of a graph: who leads to a node, and where it leads.
//!
//! Callers are the nodes upstream, callees those downstream, plain graphs included.

use attractor_dot::TextRange;
use attractor_dot::graph::{Edge, Graph};

use crate::document::Document;
use crate::names::Name;
use crate::symbols::SymbolKind;

/// A node of the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallItem {
    /// The number of its graph in the document.
    pub graph: usize,
    /// Its id.
    pub id: String,
    /// Its label, or empty.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The statement that declares it, else the first that names it.
    pub range: TextRange,
    /// Its name there.
    pub focus: TextRange,
}

/// A neighbour and the places where the edges to it stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The neighbour.
    pub item: CallItem,
    /// The names of the edge's end that the question was about.
    pub ranges: Vec<TextRange>,
}

/// The node at an offset.
pub fn prepare(doc: &Document, offset: usize) -> Option<CallItem> {
    let (name, _) = doc.names().at(offset)?;
    let Name::Node(graph, id) = name else {
        return None;
    };
    let resolved = &doc.graph(*graph)?.graph;
    let index = resolved.nodes.iter().position(|node| node.id == *id)?;
    item(doc, *graph, index)
}

/// The nodes with an edge to this one. The ranges are where their edges name them.
pub fn incoming(doc: &Document, graph: usize, id: &str) -> Vec<Call> {
    calls(doc, graph, id, |edge| {
        (edge.to(), edge.from(), edge.from_range)
    })
}

/// The nodes this one has an edge to. The ranges are where those edges name them.
pub fn outgoing(doc: &Document, graph: usize, id: &str) -> Vec<Call> {
    calls(doc, graph, id, |edge| {
        (edge.from(), edge.to(), edge.to_range)
    })
}

/// `ends` gives of an edge: the end that must be the node, the neighbour, and the place to show.
fn calls(
    doc: &Document,
    graph: usize,
    id: &str,
    ends: impl Fn(&Edge) -> (usize, usize, TextRange),
) -> Vec<Call> {
    let Some(resolved) = doc.graph(graph).map(|info| &info.graph) else {
        return Vec::new();
    };
    let Some(index) = position(resolved, id) else {
        return Vec::new();
    };
    let mut neighbours: Vec<(usize, Vec<TextRange>)> = Vec::new();
    for edge in &resolved.edges {
        let (own, other, range) = ends(edge);
        if own != index {
            continue;
        }
        match neighbours
            .iter_mut()
            .find(|(neighbour, _)| *neighbour == other)
        {
            Some((_, ranges)) => ranges.push(range),
            None => neighbours.push((other, vec![range])),
        }
    }
    let call = |(neighbour, ranges)| {
        Some(Call {
            item: item(doc, graph, neighbour)?,
            ranges,
        })
    };
    neighbours.into_iter().filter_map(call).collect()
}

fn position(graph: &Graph, id: &str) -> Option<usize> {
    graph.nodes.iter().position(|node| node.id == id)
}

fn item(doc: &Document, graph: usize, index: usize) -> Option<CallItem> {
    let info = doc.graph(graph)?;
    let node = info.graph.nodes.get(index)?;
    let home = info.graph.home(node)?;
    let in_pipeline = info
        .pipeline
        .as_deref()
        .and_then(|pipeline| pipeline.node_by_id(&node.id));
    let label = info.graph.value(node.attributes, "label");
    Some(CallItem {
        graph,
        id: node.id.to_string(),
        detail: label.unwrap_or_default().to_owned(),
        kind: in_pipeline.map_or(SymbolKind::PlainNode, |node| SymbolKind::Node(node.kind)),
        range: home.statement,
        focus: home.range,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    fn ids(calls: &[Call]) -> Vec<(&str, usize)> {
        calls
            .iter()
            .map(|call| (call.item.id.as_str(), call.ranges.len()))
            .collect()
    }

    #[test]
    fn neighbours_upstream_and_downstream() {
        let (doc, offset) = cursor("digraph { a -> b$0 -> {c d}; a -> b; b [label=Bee]; c -> b }");
        let item = prepare(&doc, offset).unwrap();
        assert_eq!((item.id.as_str(), item.detail.as_str()), ("b", "Bee"));
        assert_eq!(
            ids(&incoming(&doc, item.graph, &item.id)),
            [("a", 2), ("c", 1)]
        );
        assert_eq!(
            ids(&outgoing(&doc, item.graph, &item.id)),
            [("c", 1), ("d", 1)]
        );
        assert_eq!(incoming(&doc, 7, "b"), []);
        assert_eq!(prepare(&doc, 0), None);
    }
}
