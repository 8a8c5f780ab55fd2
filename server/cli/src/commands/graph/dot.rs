//! `graph --format dot`: the resolved graphs as DOT that Graphviz reads. Defaults are written out at each
//! node and edge, whatever a pipeline may leave bare is quoted, and comments are gone.

use std::fmt::Write;

use attractor_dot::graph::{Attribute, Graph, Subgraph};
use attractor_dot::strings::quote;
use attractor_model::GraphInfo;

use super::json::id;

/// All graphs, one after the other.
pub fn graphs(graphs: &[&GraphInfo]) -> String {
    graphs
        .iter()
        .map(|info| one_graph(&info.graph))
        .collect::<Vec<_>>()
        .join("\n")
}

fn one_graph(graph: &Graph) -> String {
    let mut text = String::new();
    let strict = if graph.strict { "strict " } else { "" };
    let keyword = if graph.directed { "digraph" } else { "graph" };
    let name = graph
        .name
        .as_deref()
        .map(|name| format!("{} ", quote(name)))
        .unwrap_or_default();
    writeln!(text, "{strict}{keyword} {name}{{").ok();
    for attribute in &graph.attributes {
        writeln!(text, "  {}", assignment(attribute)).ok();
    }
    for node in &graph.nodes {
        writeln!(text, "  {}{}", quote(&node.id), list(&node.attributes)).ok();
    }
    for (index, one) in graph.subgraphs.iter().enumerate() {
        if one.parent.is_none() {
            subgraph(graph, index, one, 1, &mut text);
        }
    }
    let operator = if graph.directed { "->" } else { "--" };
    for edge in &graph.edges {
        let from = end(id(graph, edge.from), edge.from_port.as_deref());
        let to = end(id(graph, edge.to), edge.to_port.as_deref());
        writeln!(text, "  {from} {operator} {to}{}", list(&edge.attributes)).ok();
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
    // What stands in the graph around it is written before, so a difference is written out: Graphviz
    // gives a subgraph only what was said before it was opened.
    let around = match one.parent {
        Some(parent) => graph.subgraphs.get(parent).map(|parent| &parent.attributes),
        None => Some(&graph.attributes),
    };
    let around = around.map(Vec::as_slice).unwrap_or_default();
    for attribute in &one.attributes {
        let same = |other: &Attribute| {
            (&other.name, &other.value, other.html)
                == (&attribute.name, &attribute.value, attribute.html)
        };
        if !attribute.inherited || !around.iter().any(same) {
            writeln!(text, "{indent}  {}", assignment(attribute)).ok();
        }
    }
    for unknown in around
        .iter()
        .filter(|other| one.attribute(&other.name).is_none())
    {
        writeln!(text, "{indent}  {}=\"\"", quote(&unknown.name)).ok();
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

fn list(attributes: &[Attribute]) -> String {
    if attributes.is_empty() {
        return String::new();
    }
    let written: Vec<String> = attributes.iter().map(assignment).collect();
    format!(" [{}]", written.join(", "))
}

fn assignment(attribute: &Attribute) -> String {
    let name = quote(&attribute.name);
    if attribute.html {
        format!("{name}=<{}>", attribute.value)
    } else {
        format!("{name}={}", quote(&attribute.value))
    }
}
