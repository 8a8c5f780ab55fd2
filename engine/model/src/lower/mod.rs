//! From a graph to a pipeline: kinds, canonical attributes, defaults, stylesheet, start and ends.
//!
//! Total and linear in the size of the graph. Problems are not reported here: lints look at the result.

mod attributes;
mod classes;
mod detect;
mod dialect;
mod edges;
mod ends;
mod inherited;
mod kinds;
mod marks;
mod name_roles;
mod nodes;
mod style;

use std::collections::BTreeMap;
use std::sync::Arc;

use attractor_dot::graph::Graph;

pub use attributes::inherited_as;
pub use detect::{PipelineHint, is_pipeline};
pub use dialect::{kind_of_shape, shape_of};
pub use ends::{StartMark, start_candidates};

use self::attributes::AttributeCollector;
use crate::attributes::Attributes;
use crate::catalogue::Owner;
use crate::groups::Groups;
use crate::options::{Dialect, Options};
use crate::pipeline::{Adjacency, Edge, EdgeIx, Node, NodeIx, Pipeline};
use crate::precedence::precedence;

/// Lowers a graph that is a pipeline; gives it back too. `text` is its file.
pub fn lower(
    text: &str,
    graph: Graph,
    options: &Options,
    asked: Option<Dialect>,
) -> (Arc<Graph>, Pipeline) {
    let recognised = dialect::recognise(&graph, options, asked);
    let dialect = recognised.dialect;
    let of_graph = graph.attributes;
    let mut collector = AttributeCollector::of(graph);
    let of_graph = collector.canonical(Owner::Graph, of_graph);
    let drafts = nodes::collect(&mut collector, (dialect, options));
    let of_edges = edges::collect(&mut collector);
    let (meanings, rivals) = collector.finish();
    let meanings = Arc::new(meanings);
    let graph = Arc::clone(meanings.graph());
    let mut nodes = nodes::build(drafts, &meanings);
    let edges = edges::build(&of_edges, &meanings);
    let attributes = Attributes::new(Owner::Graph, of_graph, Arc::clone(&meanings));
    meanings.set_inherited(inherited::apply(&mut nodes, &attributes, options, text));
    let (outgoing, incoming) = adjacency(&nodes, &edges);
    let start = nodes.iter().position(|node| node.start).map(NodeIx::new);
    let handler_keys = keys_of_handlers(&nodes, options);
    let pipeline = Pipeline {
        handler_keys,
        name: graph.name.clone().unwrap_or_else(|| stem(options)),
        range: graph.range,
        name_range: graph.name_range.unwrap_or(graph.keyword),
        dialect,
        dialect_evidence: recognised.evidence,
        attributes,
        rivals,
        nodes,
        edges,
        start,
        outgoing,
        incoming,
    };
    (graph, pipeline)
}

/// What the configured handlers of the nodes set, by their names.
fn keys_of_handlers(nodes: &[Node], options: &Options) -> BTreeMap<String, Vec<String>> {
    let handlers = options.custom_handlers.iter();
    let used = handlers.filter(|handler| {
        let mut names = nodes.iter().map(|node| node.custom_handler.as_deref());
        names.any(|name| name == Some(handler.name.as_str()))
    });
    used.map(|handler| (handler.name.clone(), handler.sets.clone()))
        .collect()
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

/// From where an edge leads, and to where.
type Ends = (NodeIx, NodeIx);

/// The edges that leave each node, in routing order, and those that lead to it.
fn adjacency(nodes: &[Node], edges: &[Edge]) -> (Adjacency, Adjacency) {
    // Apart from all else an edge has, so that they are quick to go through again and again.
    let ends: Vec<Ends> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let by = |end: fn(Ends) -> NodeIx| {
        let indexed = ends.iter().enumerate();
        let pairs: Vec<(u32, EdgeIx)> = indexed
            .map(|(index, ends)| (end(*ends).0, EdgeIx::new(index)))
            .collect();
        Groups::new(nodes.len(), &pairs)
    };
    let mut outgoing = by(|(from, _)| from);
    let incoming = by(|(_, to)| to);
    let rank = |edge: &Edge| {
        let node = nodes.get(edge.from.index());
        node.map_or(0, |node| precedence(node, edge.condition.as_deref()))
    };
    let id = |edge: &Edge| nodes.get(edge.to.index()).map(|node| &*node.id);
    for group in outgoing.each_mut() {
        if group.len() < 2 {
            continue;
        }
        group.sort_by(|left, right| {
            let (Some(left), Some(right)) = (edges.get(left.index()), edges.get(right.index()))
            else {
                return std::cmp::Ordering::Equal;
            };
            rank(left)
                .cmp(&rank(right))
                .then(left.priority.cmp(&right.priority))
                .then(right.weight.cmp(&left.weight))
                .then_with(|| id(left).cmp(&id(right)))
        });
    }
    let adjacency = |grouped: Groups<EdgeIx>, end: fn(Ends) -> NodeIx| Adjacency {
        nodes: grouped.map(|ix| {
            ends.get(ix.index())
                .map_or(NodeIx(u32::MAX), |ends| end(*ends))
        }),
        edges: grouped,
    };
    (
        adjacency(outgoing, |(_, to)| to),
        adjacency(incoming, |(from, _)| from),
    )
}
