//! Nodes of a pipeline.

use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_dot::graph::{self, Graph, OccurrenceKind};

use super::attributes::AttributeCollector;
use super::classes::Classes;
use super::ends;
use super::kinds::{Kind, KindHints};
use super::marks::Ends;
use super::name_roles::NameRoles;
use crate::attributes::{Attribute, Attributes, Canonical, Meanings};
use crate::catalogue::Owner;
use crate::options::{Dialect, Options};
use crate::pipeline::Node;

/// A node before the attributes of all nodes are collected.
pub(super) struct NodeDraft {
    kind: Kind,
    ends: Ends,
    attributes: Canonical,
}

/// The kinds of the nodes, and their collected attributes.
pub(super) fn collect(
    collector: &mut AttributeCollector,
    (dialect, options): (Dialect, &Options),
) -> Vec<NodeDraft> {
    let graph = collector.graph();
    let words = NameRoles::of(graph);
    let nodes = graph.nodes.iter();
    let hints: Vec<KindHints<'_>> = nodes
        .map(|node| KindHints::new(graph, &words, node))
        .collect();
    let ends = ends::of_graph(graph, &hints, dialect);
    let kinds = hints.into_iter().zip(ends);
    let kinds = kinds.map(|(hints, ends)| (hints.kind(ends, (dialect, options)), ends));
    let kinds: Vec<(Kind, Ends)> = kinds.collect();
    let drafts = kinds.into_iter().enumerate().map(|(at, (kind, ends))| {
        let node = collector.graph().nodes.get(at);
        let list = node.map_or_else(Default::default, |node| node.attributes);
        NodeDraft {
            attributes: collector.canonical(Owner::Node(kind.kind), list),
            kind,
            ends,
        }
    });
    drafts.collect()
}

/// The nodes, after the attributes of all are collected.
pub(super) fn build(drafts: Vec<NodeDraft>, meanings: &Arc<Meanings>) -> Vec<Node> {
    let graph = meanings.graph();
    let mut classes = Classes::of(graph);
    let parts = graph.nodes.iter().zip(drafts).enumerate();
    let nodes = parts.map(|(at, (node, draft))| {
        let NodeDraft { kind, ends, .. } = draft;
        let owner = Owner::Node(kind.kind);
        let attributes = Attributes::new(owner, draft.attributes, Arc::clone(meanings));
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
    meanings.set_classes(classes.finish());
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
