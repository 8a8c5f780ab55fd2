//! `graph --format json`: a stable contract. Lines and columns count from 1, columns in characters.

use std::borrow::Cow;
use std::collections::BTreeMap;

use attractor_dot::graph::{AttributeList, Edge, Graph, Node, Subgraph};
use attractor_model::{GraphInfo, Origin, Resolved, resolve};
use serde::Serialize;

use crate::render::line_column::{Lines, Span};

/// Names and values, and which of the values are HTML.
#[derive(Serialize)]
struct Attributes<'a> {
    attributes: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    html: Vec<&'a str>,
}

/// Properties of the whole file.
#[derive(Serialize)]
pub struct FileProperties {
    /// Whether it has no syntax errors.
    pub valid: bool,
    /// Whether Graphviz reads it as it is written.
    pub portable: bool,
    /// `utf-8` or `latin1`: how its bytes were read.
    pub charset: &'static str,
}

/// Every graph of a file.
#[derive(Serialize)]
pub struct Graphs<'a> {
    #[serde(flatten)]
    properties: FileProperties,
    graphs: Vec<OneGraph<'a>>,
}

#[derive(Serialize)]
struct OneGraph<'a> {
    /// Of a pipeline without a name, the stem of its file: the name that its runs have.
    name: Option<&'a str>,
    directed: bool,
    strict: bool,
    pipeline: bool,
    #[serde(flatten)]
    attributes: Attributes<'a>,
    nodes: Vec<OneNode<'a>>,
    edges: Vec<OneEdge<'a>>,
    subgraphs: Vec<OneSubgraph<'a>>,
}

#[derive(Serialize)]
struct OneNode<'a> {
    id: &'a str,
    /// The kind of node; `null` in a graph that is not a pipeline.
    handler: Option<&'a str>,
    #[serde(flatten)]
    attributes: Attributes<'a>,
    /// The effective attributes and their sources; empty in a graph that is not a pipeline.
    resolved: Vec<OneValue<'a>>,
    range: Option<Span>,
}

#[derive(Serialize)]
struct OneValue<'a> {
    name: Cow<'a, str>,
    value: Cow<'a, str>,
    /// `own`, `defaults`, `stylesheet`, `graph`, `command line`, `dialect` or `catalogue`.
    origin: &'static str,
    /// The selector of the rule of a stylesheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<&'a str>,
    /// Where that is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Span>,
}

#[derive(Serialize)]
struct OneEdge<'a> {
    from: &'a str,
    to: &'a str,
    /// `name` or `name:compass`.
    #[serde(skip_serializing_if = "Option::is_none")]
    from_port: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_port: Option<&'a str>,
    #[serde(flatten)]
    attributes: Attributes<'a>,
    range: Span,
}

#[derive(Serialize)]
struct OneSubgraph<'a> {
    name: Option<&'a str>,
    /// The position of the subgraph around it in this list.
    parent: Option<usize>,
    #[serde(flatten)]
    attributes: Attributes<'a>,
    nodes: Vec<&'a str>,
    range: Span,
}

/// The shape of these graphs.
pub fn graphs<'a>(
    properties: FileProperties,
    graphs: &[&'a GraphInfo],
    lines: &Lines<'_>,
) -> Graphs<'a> {
    Graphs {
        properties,
        graphs: graphs.iter().map(|info| one_graph(info, lines)).collect(),
    }
}

fn one_graph<'a>(info: &'a GraphInfo, lines: &Lines<'_>) -> OneGraph<'a> {
    let graph = &info.graph;
    let pipeline = info.pipeline.as_deref();
    OneGraph {
        name: graph
            .name
            .as_deref()
            .or_else(|| pipeline.map(|pipeline| pipeline.name.as_str())),
        directed: graph.directed,
        strict: graph.strict,
        pipeline: pipeline.is_some(),
        attributes: values(graph, graph.attributes),
        nodes: graph
            .nodes
            .iter()
            .map(|node| one_node(node, info, lines))
            .collect(),
        edges: graph
            .edges
            .iter()
            .map(|edge| one_edge(edge, graph, lines))
            .collect(),
        subgraphs: graph
            .subgraphs
            .iter()
            .map(|one| one_subgraph(one, graph, lines))
            .collect(),
    }
}

fn one_node<'a>(node: &'a Node, info: &'a GraphInfo, lines: &Lines<'_>) -> OneNode<'a> {
    let (graph, pipeline) = (&info.graph, info.pipeline.as_deref());
    let handler = pipeline
        .and_then(|pipeline| pipeline.node_by_id(&node.id))
        .map(attractor_model::Node::handler);
    OneNode {
        id: &node.id,
        handler,
        attributes: values(graph, node.attributes),
        resolved: pipeline
            .and_then(|pipeline| Some(resolve(pipeline, pipeline.by_id(&node.id)?)))
            .into_iter()
            .flatten()
            .map(|one| one_value(one, lines))
            .collect(),
        range: graph
            .occurrences(node)
            .next()
            .map(|mention| lines.span(mention.range)),
    }
}

fn one_value<'a>(one: Resolved<'a>, lines: &Lines<'_>) -> OneValue<'a> {
    OneValue {
        origin: one.origin.name(),
        range: one.origin.range().map(|range| lines.span(range)),
        selector: match one.origin {
            Origin::Stylesheet { selector, .. } => Some(selector),
            _ => None,
        },
        name: one.name,
        value: one.value,
    }
}

fn one_edge<'a>(edge: &'a Edge, graph: &'a Graph, lines: &Lines<'_>) -> OneEdge<'a> {
    OneEdge {
        from: id(graph, edge.from()),
        to: id(graph, edge.to()),
        from_port: edge.from_port(),
        to_port: edge.to_port(),
        attributes: values(graph, edge.attributes),
        range: lines.span(edge.range),
    }
}

fn one_subgraph<'a>(one: &'a Subgraph, graph: &'a Graph, lines: &Lines<'_>) -> OneSubgraph<'a> {
    OneSubgraph {
        name: one.name.as_deref(),
        parent: one.parent,
        attributes: values(graph, one.attributes),
        nodes: one.nodes.iter().map(|index| id(graph, *index)).collect(),
        range: lines.span(one.range),
    }
}

fn values(graph: &Graph, list: AttributeList) -> Attributes<'_> {
    let attributes = graph.list(list).iter();
    let html = attributes.clone().filter(|one| one.value_id.is_html());
    Attributes {
        html: html.map(|one| graph.name_of(one).as_str()).collect(),
        attributes: attributes
            .map(|one| (graph.name_of(one).as_str(), graph.value_of(one)))
            .collect(),
    }
}

/// The id of a node of this graph; every index in a graph names one of its nodes.
pub fn id(graph: &Graph, index: usize) -> &str {
    graph.nodes.get(index).map_or("", |node| &node.id)
}
