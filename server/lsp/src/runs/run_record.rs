//! A run at one moment, as far as the editor shows it.

use std::sync::Arc;

use attractor_ide::model::Pipeline;
use rustc_hash::FxHashMap;

use super::projection::RunProjection;

/// The text of each node's statement when the run started, by id: a failure is no longer about a node that has been
/// edited since.
pub(crate) type Statements = FxHashMap<String, String>;

/// A run at one moment. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RunRecord {
    /// Its id.
    pub(crate) id: String,
    /// The name of its graph.
    pub(crate) graph: String,
    /// Its nodes as they were when it started.
    pub(crate) statements: Arc<Statements>,
    /// What it did so far.
    pub(crate) projection: Arc<RunProjection>,
}

/// The text of each node's statement, by id.
pub(crate) fn statements(pipeline: &Pipeline, text: &str) -> Statements {
    let nodes = pipeline.nodes.iter();
    nodes
        .map(|node| (node.id.to_string(), node.statement.text(text).to_owned()))
        .collect()
}

/// The same of a pipeline in a text; none when the text has no such pipeline.
pub(crate) fn statements_of(text: &str, pipeline: &str) -> Statements {
    let pipelines = Pipeline::from_text(text);
    let found = pipelines.iter().find(|known| known.name == pipeline);
    found.map_or_else(Statements::default, |found| statements(found, text))
}
