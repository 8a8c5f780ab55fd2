//! Nodes that exist only because an edge misspells the name of another.
//!
//! Found once for all lints: `implicit_node` reports them, and the lints that judge the shape of the graph do not report
//! what such a typo explains.

use attractor_dot::{Edit, Fix, TextRange, strings};
use rustc_hash::FxHashSet;

use super::Subject;
use super::near_nodes::NearNodes;
use super::written::Place;
use crate::catalogue::values;
use crate::pipeline::{EdgeIx, Node, NodeIx, Pipeline};

/// A node nobody declares, and the declared one it is meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misspelt {
    pub(super) node: NodeIx,
    pub(super) meant: NodeIx,
}

/// Every misspelt node, in the order of the pipeline.
pub(super) fn all(pipeline: &Pipeline) -> Vec<Misspelt> {
    let mut near_nodes = NearNodes::of(pipeline);
    let undeclared = pipeline.indexed_nodes().filter(|(_, node)| may_be(node));
    undeclared
        .filter_map(|(ix, node)| {
            let often = pipeline.incoming(ix).len() + pipeline.outgoing(ix).len() > 1;
            let is_meant = |other: NodeIx| !are_joined(pipeline, ix, other);
            let meant = near_nodes.declared(&node.id, often, is_meant)?;
            Some(Misspelt { node: ix, meant })
        })
        .collect()
}

/// Whether a node may be a typo. Ends of a run need no declaration, their names are enough.
fn may_be(node: &Node) -> bool {
    let is_end = node.terminal && !node.implicit_terminal;
    !node.declared && !node.start && !is_end
}

/// Whether an edge joins two nodes: to make them one would make it a loop of one node.
fn are_joined(pipeline: &Pipeline, one: NodeIx, other: NodeIx) -> bool {
    let mut neighbours = pipeline.successors(one).chain(pipeline.predecessors(one));
    neighbours.any(|neighbour| neighbour == other)
}

/// How a name stands in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// As an id, with the quotes it may have.
    Id,
    /// Between the quotes of a value.
    InQuotes,
}

impl Misspelt {
    /// Whether the typo is in the declaration: no edge names what is declared, and the other name is written more often.
    pub(super) fn is_in_declaration(self, subject: &Subject<'_>) -> bool {
        let graph = subject.graph;
        let written = |ix: NodeIx| {
            let node = graph.nodes.get(ix.index());
            node.map_or(0, |node| graph.occurrences(node).count())
        };
        is_isolated(subject.pipeline, self.meant) && written(self.node) > written(self.meant)
    }

    /// Writes the right name wherever the wrong one stands; nothing where that would only repeat an edge. Where no edge
    /// names what is declared, either may be the right name: the one that is written more often comes first.
    pub(super) fn fixes(self, subject: &Subject<'_>) -> Vec<Fix> {
        let Self { node, meant } = self;
        if self.is_in_declaration(subject) {
            return vec![
                rename(subject, meant, node).preferred(),
                rename(subject, node, meant),
            ];
        }
        if self.repeats_an_edge(subject.pipeline) {
            return Vec::new();
        }
        let other_way = is_isolated(subject.pipeline, meant).then(|| rename(subject, meant, node));
        let fixes = [rename(subject, node, meant).preferred()];
        fixes.into_iter().chain(other_way).collect()
    }

    fn repeats_an_edge(self, pipeline: &Pipeline) -> bool {
        let ends = |ix: &EdgeIx| {
            let edge = pipeline.edge(*ix)?;
            Some((edge.from, edge.to, edge.condition_text(), edge.label()))
        };
        let of = |node: NodeIx| {
            let edges = pipeline
                .outgoing(node)
                .iter()
                .chain(pipeline.incoming(node));
            edges.filter_map(ends)
        };
        let there: FxHashSet<_> = of(self.meant).collect();
        of(self.node).any(|(from, to, condition, label)| {
            let corrected = |end: NodeIx| if end == self.node { self.meant } else { end };
            there.contains(&(corrected(from), corrected(to), condition, label))
        })
    }
}

/// Whether no edge names the node.
fn is_isolated(pipeline: &Pipeline, ix: NodeIx) -> bool {
    pipeline.incoming(ix).is_empty() && pipeline.outgoing(ix).is_empty()
}

/// Writes the name of `right` wherever that of `wrong` stands.
fn rename(subject: &Subject<'_>, wrong: NodeIx, right: NodeIx) -> Fix {
    let name = subject.pipeline.id(right);
    let edits: Vec<Edit> = places(subject, wrong)
        .into_iter()
        .map(|(range, place)| match place {
            Written::Id => subject.edits().replace_value(range, name),
            Written::InQuotes => Edit::replace(range, strings::escape_into_quoted(name)),
        })
        .collect();
    Fix::new(format!("Replace by `{name}`"), edits)
}

/// Every place that names a node: its declarations, edges, and attributes that refer to it.
fn places(subject: &Subject<'_>, ix: NodeIx) -> Vec<(TextRange, Written)> {
    let graph = subject.graph;
    let mentions = graph.nodes.get(ix.index()).into_iter();
    let mut places: Vec<(TextRange, Written)> = mentions
        .flat_map(|node| graph.occurrences(node))
        .map(|mention| (mention.range, Written::Id))
        .collect();
    let id = subject.pipeline.id(ix);
    for spot in &subject.written().references {
        if matches!(spot.place, Place::Edge(_)) {
            continue;
        }
        let attribute = spot.attribute;
        let value = attribute
            .value_range()
            .map(|value| value.text(subject.text));
        let written = if value.is_some_and(|value| value.starts_with('"')) {
            Written::InQuotes
        } else {
            Written::Id
        };
        let listed = values::list(attribute.value()).filter(|(name, _)| *name == id);
        let ranges = listed.filter_map(|(_, at)| attribute.place(subject.text, at..at + id.len()));
        places.extend(ranges.map(|range| (range, written)));
    }
    places.sort_unstable();
    places.dedup();
    places
}
