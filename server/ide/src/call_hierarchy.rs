//! The call hierarchy of a graph: who leads to a node, and where it leads.
//!
//! Callers are the nodes upstream, callees those downstream, plain graphs included. A node that runs another pipeline
//! also calls the node where that starts; which file that is in is for the language server to find out.

use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_dot::graph::{Edge, Graph};
use attractor_model::sub_pipeline::{self, SubPipeline};
use attractor_model::{Files, NodeWork, Pipeline};

use crate::document::Document;
use crate::document_symbol::SymbolKind;
use crate::symbol_index::SymbolKey;

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

/// A neighbor and the ranges of the edges to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The neighbour.
    pub item: CallItem,
    /// The names of the edge's end that the question was about.
    pub ranges: Vec<TextRange>,
}

/// The node at an offset.
pub fn prepare(doc: &Document, offset: usize) -> Option<CallItem> {
    let (name, _) = doc.symbol_index().at(offset)?;
    let SymbolKey::Node(graph, id) = name else {
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

/// A pipeline that a node runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubCall {
    /// The node.
    pub caller: CallItem,
    /// Where it names the pipeline.
    pub range: TextRange,
    /// The pipeline.
    pub called: Called,
}

/// Where a pipeline is that a node runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Called {
    /// The graph of that number of the same document.
    Here(usize),
    /// The first pipeline of a file, by its path relative to the document.
    File(String),
}

/// Every node of a document that runs a pipeline that is there.
pub fn sub_calls(doc: &Document, files: &dyn Files) -> Vec<SubCall> {
    let siblings: Vec<Arc<Pipeline>> = doc.analysis.pipelines().cloned().collect();
    let mut calls = Vec::new();
    for (graph, pipeline) in doc.pipelines() {
        for node in &pipeline.nodes {
            if node.kind.work() != NodeWork::SubPipeline {
                continue;
            }
            let written = node.attributes.get("sub_pipeline");
            let found = written.and_then(|written| {
                let found = sub_pipeline::find(written.value(), &siblings, files)?;
                Some((written.value_range()?, found))
            });
            let Some((range, found)) = found else {
                continue;
            };
            let called = match found {
                SubPipeline::Sibling(sibling) => {
                    let mut graphs = doc.pipelines();
                    let Some((number, _)) = graphs.find(|(_, one)| one.name == sibling.name) else {
                        continue;
                    };
                    Called::Here(number)
                }
                SubPipeline::File(path) => Called::File(path),
            };
            let index = doc
                .graph(graph)
                .and_then(|info| position(&info.graph, &node.id));
            calls.extend(index.and_then(|index| {
                Some(SubCall {
                    caller: item(doc, graph, index)?,
                    range,
                    called,
                })
            }));
        }
    }
    calls
}

/// The node where the graph of that number starts; of the first pipeline without a number.
pub fn entry(doc: &Document, graph: Option<usize>) -> Option<CallItem> {
    let mut pipelines = doc.pipelines();
    let (number, pipeline) =
        pipelines.find(|(number, _)| graph.is_none_or(|graph| graph == *number))?;
    let start = pipeline.id(pipeline.start?);
    item(doc, number, position(&doc.graph(number)?.graph, start)?)
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
    let home = info.graph.definition(node)?;
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
    use attractor_model::{NoFiles, Options};

    use super::*;
    use crate::fixture::{Folder, cursor};

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

    #[test]
    fn a_node_that_runs_a_pipeline_calls_its_start() {
        let text = "digraph main { goal=x; a [shape=folder, sub_pipeline=part]; b [shape=house, sub_pipeline=\"other\"]; c [shape=folder, sub_pipeline=none] }\ndigraph part { begin [shape=Mdiamond]; begin -> end }";
        let files = Folder(&[("other.dot", "digraph o { s [shape=Mdiamond] }")]);
        let doc = Document::new(text, 1, Options::default(), &files);
        let shown: Vec<_> = sub_calls(&doc, &files)
            .into_iter()
            .map(|call| {
                let written = call.range.text(&doc.text).to_owned();
                (call.caller.id, written, call.called)
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("a".to_owned(), "part".to_owned(), Called::Here(1)),
                (
                    "b".to_owned(),
                    "\"other\"".to_owned(),
                    Called::File("other.dot".to_owned())
                ),
            ]
        );
        assert_eq!(entry(&doc, Some(1)).unwrap().id, "begin");
        assert_eq!(entry(&doc, Some(7)), None);
        let plain = crate::fixture::doc("graph { a -- b }");
        assert_eq!(entry(&plain, None), None);
        assert_eq!(sub_calls(&plain, &NoFiles), []);
    }
}
