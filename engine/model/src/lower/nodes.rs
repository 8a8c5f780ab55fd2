//! Nodes of a pipeline.

use attractor_dot::TextRange;
use attractor_dot::graph::{self, Graph, Role};
use smol_str::SmolStr;

use super::attributes::Canonical;
use super::classes::Classes;
use super::ends;
use super::kinds::{Kind, Said};
use super::marks::Ends;
use super::words::Words;
use crate::attributes::{Attributes, Gathered, Gathers};
use crate::catalogue::Owner;
use crate::options::{Dialect, Options};
use crate::pipeline::Node;

/// What is known of a node before the attributes of all are gathered.
pub(super) struct Known {
    kind: Kind,
    ends: Ends,
    attributes: Gathered,
}

/// The kinds of nodes, and their attributes gathered.
pub(super) fn gather(
    canonical: &mut Canonical<'_>,
    graph: &Graph,
    (dialect, options): (Dialect, &Options),
) -> Vec<Known> {
    let words = Words::of(graph);
    let ends = ends::of_graph(graph, &words, dialect);
    let nodes = graph.nodes.iter().zip(ends);
    let known = nodes.map(|(node, ends)| {
        let kind = Said::new(graph, &words, node).kind(ends, (dialect, options));
        let attributes = canonical.gather(Owner::Node(kind.kind), node.attributes);
        Known {
            kind,
            ends,
            attributes,
        }
    });
    known.collect()
}

/// The nodes, once the attributes of all are gathered.
pub(super) fn build(graph: &Graph, known: Vec<Known>, gathered: &Gathers) -> Vec<Node> {
    let mut classes = Classes::of(graph);
    let parts = graph.nodes.iter().zip(known).enumerate();
    let nodes = parts.map(|(at, (node, known))| {
        let Known { kind, ends, .. } = known;
        let attributes = Attributes::new(Owner::Node(kind.kind), known.attributes, gathered);
        let (range, statement, declared) = place(graph, node);
        let id = node.id.clone();
        Node {
            kind: kind.kind,
            custom_handler: kind.custom,
            label: label(&attributes, &id),
            classes: classes.of_node(at, attributes.get("class").map(|class| &class.value)),
            attributes,
            start: ends.start,
            terminal: ends.terminal,
            implicit_terminal: ends.implicit,
            range,
            statement,
            declared,
            id,
        }
    });
    nodes.collect()
}

/// The display name; Graphviz's `\N` is the id.
fn label(attributes: &Attributes, id: &SmolStr) -> SmolStr {
    match attributes.get("label") {
        Some(label) if !label.value.is_empty() && &*label.value != "\\N" => {
            SmolStr::new(&label.value)
        }
        _ => id.clone(),
    }
}

/// The id where a node is declared, else where it is first mentioned; its statement; whether it is declared.
fn place(graph: &Graph, node: &graph::Node) -> (TextRange, TextRange, bool) {
    graph.home(node).map_or_else(Default::default, |home| {
        let declared = home.role == Role::Declaration;
        (home.range, home.statement, declared)
    })
}
