//! Which nodes and edges of a file its scenarios reach.

use std::fmt;
use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_model::{Edge, Pipeline};

use crate::trace::{Crossing, Trace};

/// The coverage of the pipelines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// One entry per pipeline, in the order of the file.
    pub graphs: Vec<GraphCoverage>,
}

/// The coverage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphCoverage {
    /// Its name.
    pub name: String,
    /// Its nodes, in the order of the file.
    pub nodes: Vec<NodeCoverage>,
    /// Its edges, in the order of the file.
    pub edges: Vec<EdgeCoverage>,
}

/// How often a node was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeCoverage {
    /// The node.
    pub id: String,
    /// Where it is declared.
    pub range: TextRange,
    /// How often it was entered.
    pub visits: u64,
}

/// How often an edge was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeCoverage {
    /// Its source.
    pub from: String,
    /// Its target.
    pub to: String,
    /// Its label.
    pub label: Option<String>,
    /// Its condition, as written.
    pub condition: Option<String>,
    /// From its source to its target.
    pub range: TextRange,
    /// How often it was taken.
    pub taken: u64,
}

impl fmt::Display for EdgeCoverage {
    /// `a -> b "label" [condition]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from, self.to)?;
        if let Some(label) = &self.label {
            write!(f, " \"{label}\"")?;
        }
        if let Some(condition) = &self.condition {
            write!(f, " [{condition}]")?;
        }
        Ok(())
    }
}

impl Coverage {
    /// Nothing is covered yet.
    pub fn new<'p>(pipelines: impl Iterator<Item = &'p Arc<Pipeline>>) -> Self {
        Self {
            graphs: pipelines
                .map(|pipeline| GraphCoverage::new(pipeline))
                .collect(),
        }
    }

    /// Adds a run of the pipeline `graph`; what it did in other pipelines of the file counts too.
    pub fn add(&mut self, graph: &str, trace: &Trace) {
        for step in &trace.steps {
            let name = step.graph.as_deref().unwrap_or(graph);
            if let Some(node) = self.node_mut(name, &step.node) {
                node.visits += 1;
            }
        }
        for crossing in &trace.crossings {
            let name = crossing.graph.as_deref().unwrap_or(graph);
            let graph = self.graphs.iter_mut().find(|one| one.name == name);
            if let Some(graph) = graph {
                graph.add(crossing);
            }
        }
    }

    fn node_mut(&mut self, graph: &str, id: &str) -> Option<&mut NodeCoverage> {
        let graph = self.graphs.iter_mut().find(|one| one.name == graph)?;
        graph.nodes.iter_mut().find(|node| node.id == id)
    }

    /// All edges of all pipelines.
    pub fn edges(&self) -> impl Iterator<Item = &EdgeCoverage> {
        self.graphs.iter().flat_map(|graph| &graph.edges)
    }

    /// All nodes of all pipelines.
    pub fn nodes(&self) -> impl Iterator<Item = &NodeCoverage> {
        self.graphs.iter().flat_map(|graph| &graph.nodes)
    }
}

impl GraphCoverage {
    fn new(pipeline: &Pipeline) -> Self {
        let nodes = pipeline.nodes.iter().map(|node| NodeCoverage {
            id: node.id.to_string(),
            range: node.range,
            visits: 0,
        });
        let edges = pipeline
            .edges
            .iter()
            .map(|edge| edge_coverage(pipeline, edge));
        Self {
            name: pipeline.name.clone(),
            nodes: nodes.collect(),
            edges: edges.collect(),
        }
    }

    /// The edges that a crossing takes. One that no edge explains (a jump back at `retry_target`) takes none.
    pub(crate) fn matching(&self, crossing: &Crossing) -> Vec<usize> {
        let between = || {
            let edges = self.edges.iter().enumerate();
            edges.filter(|(_, edge)| edge.from == crossing.from && edge.to == crossing.to)
        };
        let exact = between().filter(|(_, edge)| {
            edge.label == crossing.label && edge.condition == crossing.condition
        });
        let exact: Vec<usize> = exact.map(|(at, _)| at).collect();
        if exact.is_empty() && crossing.label.is_none() && crossing.condition.is_none() {
            // A jump along a drawn edge: a branch of a parallel node, the way back of a loop.
            return between().map(|(at, _)| at).take(1).collect();
        }
        exact
    }

    fn add(&mut self, crossing: &Crossing) {
        for at in self.matching(crossing) {
            if let Some(edge) = self.edges.get_mut(at) {
                edge.taken += 1;
            }
        }
    }
}

fn edge_coverage(pipeline: &Pipeline, edge: &Edge) -> EdgeCoverage {
    EdgeCoverage {
        from: pipeline.id(edge.from).to_owned(),
        to: pipeline.id(edge.to).to_owned(),
        label: edge.label().map(str::to_owned),
        condition: edge.condition_text().map(str::to_owned),
        range: edge.range(),
        taken: 0,
    }
}
