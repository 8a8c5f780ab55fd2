//! `graph --format dot`: the resolved graphs as DOT that Graphviz reads. Defaults are written out at each
//! node and edge, whatever a pipeline may leave bare is quoted, and comments are gone.

use std::fmt::Write;

use attractor_dot::graph::{Attribute, AttributeList, Graph, Node, Subgraph};
use attractor_dot::strings::quote;
use attractor_model::GraphInfo;

use super::json::id;

/// Shapes that the text does not name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shapes {
    /// Left to Graphviz.
    AsWritten,
    /// Those of the kinds of nodes, for a picture.
    OfKinds,
}

/// All graphs, one after the other.
pub fn graphs(graphs: &[&GraphInfo], shapes: Shapes) -> String {
    graphs
        .iter()
        .map(|info| one_graph(info, shapes))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The shape of a node's kind, if its own attributes name none.
fn shape_of_kind(info: &GraphInfo, node: &Node) -> Option<&'static str> {
    if info.graph.find(node.attributes, "shape").is_some() {
        return None;
    }
    let in_pipeline = info.pipeline.as_deref()?.node_by_id(&node.id)?;
    in_pipeline.kind.row()?.shapes.first().copied()
}

fn one_graph(info: &GraphInfo, shapes: Shapes) -> String {
    let graph = &*info.graph;
    let mut text = String::new();
    let strict = if graph.strict { "strict " } else { "" };
    let keyword = if graph.directed { "digraph" } else { "graph" };
    let name = graph
        .name
        .as_deref()
        .map(|name| format!("{} ", quote(name)))
        .unwrap_or_default();
    writeln!(text, "{strict}{keyword} {name}{{").ok();
    for attribute in graph.list(graph.attributes) {
        writeln!(text, "  {}", assignment(graph, attribute)).ok();
    }
    for node in &graph.nodes {
        let list = list(graph, node.attributes);
        write!(text, "  {}", quote(&node.id)).ok();
        if shapes == Shapes::OfKinds
            && let Some(shape) = shape_of_kind(info, node)
        {
            write!(text, " [shape={shape}]").ok();
        }
        writeln!(text, "{list}").ok();
    }
    for (index, one) in graph.subgraphs.iter().enumerate() {
        if one.parent.is_none() {
            subgraph(graph, index, one, 1, &mut text);
        }
    }
    let operator = if graph.directed { "->" } else { "--" };
    for edge in &graph.edges {
        let from = end(id(graph, edge.from()), edge.from_port());
        let to = end(id(graph, edge.to()), edge.to_port());
        let list = list(graph, edge.attributes);
        writeln!(text, "  {from} {operator} {to}{list}").ok();
    }
    text.push_str("}\n");
    text
}

/// A subgraph with the names of its nodes. The parser bounds how deep they nest.
fn subgraph(graph: &Graph, index: usize, one: &Subgraph, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let name = one
        .name
        .as_deref()
        .map(|name| format!("{} ", quote(name)))
        .unwrap_or_default();
    writeln!(text, "{indent}subgraph {name}{{").ok();
    // Attributes of the graph around it precede it, so differences are written out: a subgraph inherits only
    // what is set before it.
    let around = match one.parent {
        Some(parent) => graph.subgraphs.get(parent).map(|parent| parent.attributes),
        None => Some(graph.attributes),
    };
    let around = graph.list(around.unwrap_or_default());
    for attribute in graph.list(one.attributes) {
        let key = |one: &Attribute| (one.name, one.value_id.is_html());
        let same = |other: &Attribute| {
            key(other) == key(attribute) && graph.value_of(other) == graph.value_of(attribute)
        };
        if !attribute.inherited || !around.iter().any(same) {
            writeln!(text, "{indent}  {}", assignment(graph, attribute)).ok();
        }
    }
    let names = around.iter().map(|other| graph.name_of(other));
    for unknown in names.filter(|name| graph.find(one.attributes, name).is_none()) {
        writeln!(text, "{indent}  {}=\"\"", quote(unknown)).ok();
    }
    for (inner, child) in graph.subgraphs.iter().enumerate() {
        if child.parent == Some(index) {
            subgraph(graph, inner, child, depth + 1, text);
        }
    }
    for node in &one.nodes {
        writeln!(text, "{indent}  {}", quote(id(graph, *node))).ok();
    }
    writeln!(text, "{indent}}}").ok();
}

fn end(id: &str, port: Option<&str>) -> String {
    let parts = port.iter().flat_map(|port| port.split(':'));
    std::iter::once(id)
        .chain(parts)
        .map(quote)
        .collect::<Vec<_>>()
        .join(":")
}

fn list(graph: &Graph, list: AttributeList) -> String {
    if list.is_empty() {
        return String::new();
    }
    let attributes = graph.list(list).iter();
    let written: Vec<String> = attributes.map(|one| assignment(graph, one)).collect();
    format!(" [{}]", written.join(", "))
}

fn assignment(graph: &Graph, attribute: &Attribute) -> String {
    let name = quote(graph.name_of(attribute));
    let value = graph.value_of(attribute);
    if attribute.value_id.is_html() {
        format!("{name}=<{value}>")
    } else {
        format!("{name}={}", quote(value))
    }
}
