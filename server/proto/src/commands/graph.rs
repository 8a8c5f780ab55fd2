//! `attractor.graph`: the graph of a pipeline, as data.

use attractor_ide::model::NodeState;
use attractor_ide::preview::{self, Preview};
use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};

use super::CommandShape;
use crate::context::RequestContext;
use crate::errors::RequestError;
use crate::to_proto;

/// The command.
pub const GRAPH: CommandShape = CommandShape {
    name: "attractor.graph",
    takes: "{uri, graph?}",
};

/// What `attractor.graph` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphArgs {
    /// The document.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub uri: Uri,
    /// The graph; else the first pipeline, else the first graph.
    #[serde(default)]
    pub graph: Option<String>,
}

/// What `attractor.graph` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphResult {
    /// Clean Graphviz DOT written from the tree, with stable ids.
    pub dot: String,
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
    /// Whether it is a pipeline; else a plain graph.
    pub pipeline: bool,
    /// The version of the document this was drawn from.
    pub version: i32,
}

/// A node of [`GraphResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// Its id in the document.
    pub id: String,
    /// Its element's id in the drawing: the `id` attribute in `dot`.
    pub element: String,
    /// Its kind; `node` in a plain graph.
    pub kind: String,
    /// Where it is declared.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::range"))]
    pub range: Range,
    /// The statement that declares it, else `range`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::range"))]
    pub statement: Range,
    /// Its state in the newest run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::schema::names::<NodeState>")
    )]
    pub state: Option<NodeState>,
}

/// An edge of [`GraphResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphEdge {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Its element's id in the drawing.
    pub element: String,
    /// Where it is.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::range"))]
    pub range: Range,
    /// Whether the newest run took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<bool>,
}

/// What a run did in a graph.
pub trait RunProgress {
    /// The state of a node; `None` when the run has not reached it.
    fn state_of(&self, node: &str) -> Option<NodeState>;

    /// Whether the run took an edge between two nodes.
    fn is_taken(&self, from: &str, to: &str) -> bool;
}

/// A graph as data and as DOT that every Graphviz draws, with what its newest run did: `progress` knows that of a run.
pub fn graph(
    context: &RequestContext,
    name: Option<&str>,
    progress: impl Fn(&str) -> Option<Box<dyn RunProgress>>,
) -> Result<GraphResult, RequestError> {
    let first = context
        .document
        .pipelines()
        .next()
        .map(|(_, pipeline)| pipeline.name.clone());
    let name = name.map(str::to_owned).or(first);
    let runs = context.runs();
    let run = runs
        .iter()
        .find(|run| name.as_ref().is_none_or(|name| run.graph == *name));
    let uri = || context.uri.as_str().to_owned();
    let preview =
        preview::graph(&context.document, name.as_deref(), run).ok_or_else(|| match &name {
            Some(graph) => RequestError::UnknownGraph {
                uri: uri(),
                graph: graph.clone(),
                known: known(context),
            },
            None => RequestError::NoPipeline { uri: uri() },
        })?;
    let progress = run.and_then(|run| progress(&run.run));
    Ok(convert(context, preview, progress.as_deref()))
}

fn convert(
    context: &RequestContext,
    preview: Preview,
    progress: Option<&dyn RunProgress>,
) -> GraphResult {
    let nodes = preview.nodes.into_iter().map(|node| GraphNode {
        state: progress.and_then(|progress| progress.state_of(&node.id)),
        id: node.id,
        element: node.element,
        kind: node.kind.map_or("node", |kind| kind.name()).to_owned(),
        range: to_proto::range(context, node.range),
        statement: to_proto::range(context, node.statement),
    });
    let edges = preview.edges.into_iter().map(|edge| GraphEdge {
        taken: progress.map(|progress| progress.is_taken(&edge.from, &edge.to)),
        from: edge.from,
        to: edge.to,
        element: edge.element,
        range: to_proto::range(context, edge.range),
    });
    GraphResult {
        nodes: nodes.collect(),
        edges: edges.collect(),
        dot: preview.dot,
        pipeline: preview.pipeline,
        version: context.document.version,
    }
}

fn known(context: &RequestContext) -> String {
    let graphs = context.document.analysis.graphs.iter();
    let names = graphs.filter_map(|info| match &info.pipeline {
        Some(pipeline) => Some(pipeline.name.as_str()),
        None => info.graph.name.as_deref(),
    });
    names.collect::<Vec<_>>().join(", ")
}
