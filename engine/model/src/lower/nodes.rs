//! Nodes of a pipeline.

use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_dot::graph::{self, Graph, OccurrenceKind};

use super::attributes::Gathering;
use super::classes::Classes;
use super::ends;
use super::kinds::{Kind, Said};
use super::marks::Ends;
use super::name_roles::Words;
use crate::attributes::{Attribute, Attributes, Canonical, Meanings};
use crate::catalogue::Owner;
use crate::options::{Dialect, Options};
use crate::pipeline::Node;

/// What is known of a node before the attributes of all are gathered.
pub(super) struct Known {
    kind: Kind,
    ends: Ends,
    attributes: Canonical,
}

/// The kinds of nodes, and their attributes gathered.
pub(super) fn gather(
    gathering: &mut Gathering,
    (dialect, options): (Dialect, &Options),
) -> Vec<Known> {
    let graph = gathering.graph();
    let words = Words::of(graph);
    let nodes = graph.nodes.iter();
    let said: Vec<Said<'_>> = nodes.map(|node| Said::new(graph, &words, node)).collect();
    let ends = ends::of_graph(graph, &said, dialect);
    let kinds = said.into_iter().zip(ends);
    let kinds = kinds.map(|(said, ends)| (said.kind(ends, (dialect, options)), ends));
    let kinds: Vec<(Kind, Ends)> = kinds.collect();
    let known = kinds.into_iter().enumerate().map(|(at, (kind, ends))| {
        let node = gathering.graph().nodes.get(at);
        let list = node.map_or_else(Default::default, |node| node.attributes);
        Known {
            attributes: gathering.canonical(Owner::Node(kind.kind), list),
            kind,
            ends,
        }
    });
    known.collect()
}

/// The nodes, once the attributes of all are gathered.
pub(super) fn build(known: Vec<Known>, meanings: &Arc<Meanings>) -> Vec<Node> {
    let graph = meanings.graph();
    let mut classes = Classes::of(graph);
    let parts = graph.nodes.iter().zip(known).enumerate();
    let nodes = parts.map(|(at, (node, known))| {
        let Known { kind, ends, .. } = known;
        let owner = Owner::Node(kind.kind);
        let attributes = Attributes::new(owner, known.attributes, Arc::clone(meanings));
        let (range, statement, declared) = place(graph, node);
        let written = attributes.get("class").map_or("", Attribute::value);
        Node {
            id: node.id.clone(),
            kind: kind.kind,
            custom_handler: kind.custom,
            class_list: classes.of_node(at, written),
            attributes,
            start: ends.start,
            terminal: ends.terminal,
            implicit_terminal: ends.implicit,
            range,
            statement,
            declared,
        }
    });
    let nodes = nodes.collect();
    meanings.keep_classes(classes.finish());
    nodes
}

/// The id where a node is declared, else where it is first mentioned; its statement; whether it is declared.
fn place(graph: &Graph, node: &graph::Node) -> (TextRange, TextRange, bool) {
    graph
        .definition(node)
        .map_or_else(Default::default, |home| {
            let declared = home.kind == OccurrenceKind::Declaration;
            (home.range, home.statement, declared)
        })
}
