//! From a graph to a pipeline: kinds, canonical attributes, defaults, stylesheet, start and ends.
//!
//! Total and linear in the size of the graph. Problems are not reported here: lints look at the result.

mod attributes;
mod classes;
mod detect;
mod dialect;
mod ends;
mod given;
mod kinds;
mod rows;
mod style;
mod words;

use std::sync::Arc;

use attractor_dot::graph::{self, Graph, Role};
use attractor_dot::{Substr, TextRange};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

pub(crate) use detect::{Asked, is_pipeline};
pub(crate) use dialect::shape_of;
pub(crate) use ends::{StartMark, start_candidates};

use self::attributes::Canonical;
use self::classes::Classes;
use self::kinds::Said;
use self::words::Words;
use crate::attributes::Attributes;
use crate::catalogue::{Owner, values};
use crate::lang::condition::{self, Condition};
use crate::options::{Dialect, Options};
use crate::pipeline::{Adjacency, Edge, EdgeIx, Node, NodeIx, Pipeline};

/// Lowers a graph that is a pipeline. `text` is its file.
pub(crate) fn lower(
    text: &str,
    graph: &Graph,
    options: &Options,
    asked: Option<Dialect>,
) -> Pipeline {
    let recognised = dialect::recognise(graph, options, asked);
    let dialect = recognised.dialect;
    let mut canonical = Canonical::of(graph);
    let graph_attributes = canonical.attributes(Owner::Graph, graph.attributes);
    let mut nodes = nodes(&mut canonical, graph, options, dialect);
    given::apply(&mut nodes, &graph_attributes, options, text);
    let edges = edges(&mut canonical, graph);
    let (outgoing, incoming) = adjacency(&nodes, &edges);
    let start = nodes.iter().position(|node| node.start).map(NodeIx::new);
    Pipeline {
        name: graph.name.clone().unwrap_or_else(|| stem(options)),
        range: graph.range,
        name_range: graph.name_range.unwrap_or(graph.keyword),
        dialect,
        dialect_evidence: recognised.evidence,
        attributes: graph_attributes,
        nodes,
        edges,
        start,
        ids: graph.ids().clone(),
        outgoing,
        incoming,
    }
}

fn stem(options: &Options) -> String {
    options
        .path
        .as_deref()
        .and_then(|path| path.rsplit(['/', '\\']).next())
        .map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem))
        .filter(|stem| !stem.is_empty())
        .unwrap_or("pipeline")
        .to_owned()
}

fn nodes(
    canonical: &mut Canonical<'_>,
    graph: &Graph,
    options: &Options,
    dialect: Dialect,
) -> Vec<Node> {
    let words = Words::of(graph);
    let ends = ends::of_graph(graph, &words, dialect);
    let mut classes = Classes::of(graph);
    let parts = graph.nodes.iter().zip(ends).enumerate();
    let lowered = parts.map(|(at, (node, ends))| {
        let kind = Said::new(graph, &words, node).kind(ends, (dialect, options));
        let attributes = canonical.attributes(Owner::Node(kind.kind), node.attributes);
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
    lowered.collect()
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

fn edges(canonical: &mut Canonical<'_>, graph: &Graph) -> Vec<Edge> {
    // Few texts say what most edges ask: each is parsed once and shared.
    let mut conditions: FxHashMap<Substr, Option<Arc<Condition>>> = FxHashMap::default();
    graph
        .edges
        .iter()
        .map(|edge| {
            let attributes = canonical.attributes(Owner::Edge, edge.attributes);
            let written = attributes
                .get("condition")
                .filter(|written| !written.value.trim().is_empty());
            let condition = written.and_then(|written| {
                conditions
                    .entry(written.value.clone())
                    .or_insert_with(|| parse_condition(&written.value))
                    .clone()
            });
            Edge {
                from: NodeIx::new(edge.from),
                to: NodeIx::new(edge.to),
                label: attributes
                    .get("label")
                    .filter(|label| !label.value.trim().is_empty())
                    .map(|label| SmolStr::new(&label.value)),
                condition,
                condition_text: written.map(|written| written.value.clone()),
                priority: number(&attributes, "priority"),
                weight: number(&attributes, "weight"),
                freeform: flag(&attributes, "freeform"),
                loop_restart: flag(&attributes, "loop_restart"),
                attributes,
                range: edge.from_range.cover(edge.to_range),
                statement: edge.range,
                to_range: edge.to_range,
                from_range: edge.from_range,
            }
        })
        .collect()
}

/// A whole number; zero when nobody wrote one.
#[inline]
fn number(attributes: &Attributes, name: &str) -> i64 {
    let written = attributes.get(name);
    written
        .and_then(|written| values::integer(&written.value))
        .unwrap_or(0)
}

/// A truth value; false when nobody wrote one.
#[inline]
fn flag(attributes: &Attributes, name: &str) -> bool {
    let written = attributes.get(name);
    written.and_then(|written| values::boolean(&written.value)) == Some(true)
}

fn parse_condition(text: &str) -> Option<Arc<Condition>> {
    let (condition, errors) = condition::parse(text);
    errors.is_empty().then(|| Arc::new(condition))
}

fn adjacency(nodes: &[Node], edges: &[Edge]) -> (Adjacency, Adjacency) {
    let indexed = || {
        edges
            .iter()
            .enumerate()
            .map(|(index, edge)| (EdgeIx::new(index), edge))
    };
    let mut outgoing = Adjacency::new(nodes.len(), indexed().map(|(ix, edge)| (edge.from, ix)));
    let incoming = Adjacency::new(nodes.len(), indexed().map(|(ix, edge)| (edge.to, ix)));
    let id = |edge: &Edge| nodes.get(edge.to.index()).map(|node| &*node.id);
    for group in outgoing.groups_mut() {
        if group.len() < 2 {
            continue;
        }
        group.sort_by(|left, right| {
            let (Some(left), Some(right)) = (edges.get(left.index()), edges.get(right.index()))
            else {
                return std::cmp::Ordering::Equal;
            };
            left.priority
                .cmp(&right.priority)
                .then(right.weight.cmp(&left.weight))
                .then_with(|| id(left).cmp(&id(right)))
        });
    }
    (outgoing, incoming)
}
