//! The graph of a pipeline, as data.

use attractor_run::NodeState;
use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};

/// What `attractor.graph` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The graph; else the first pipeline, else the first graph.
    #[serde(default)]
    pub graph: Option<String>,
}

/// What `attractor.graph` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// Its id in the document.
    pub id: String,
    /// Its element's id in the drawing: the `id` attribute in `dot`.
    pub element: String,
    /// Its kind; `node` in a plain graph.
    pub kind: String,
    /// Where it is declared.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// The statement that declares it, else `range`.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub statement: Range,
    /// Its state in the newest run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<NodeState>"))]
    pub state: Option<NodeState>,
}

/// An edge of [`GraphResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphEdge {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Its element's id in the drawing.
    pub element: String,
    /// Where it is.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// Whether the newest run took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<bool>,
}
