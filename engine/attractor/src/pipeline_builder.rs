//! Pipelines built in code.

use std::path::Path;

use attractor_model::Options;
use attractor_model::dot::strings::quote;

use crate::edit::PipelineEdit;
use crate::error::ParseError;
use crate::pipeline::{Pipeline, UNNAMED};

/// Builds a pipeline. What it builds is a DOT text, like that of a file.
///
/// ```
/// use attractor::Pipeline;
///
/// let pipeline = Pipeline::builder("hello")
///     .node("start", &[("shape", "Mdiamond")])
///     .node("greet", &[("command", "echo \"hello $name\"")])
///     .node("done", &[("shape", "Msquare")])
///     .edge("start", "greet")
///     .edge("greet", "done")
///     .build()
///     .unwrap();
/// assert_eq!(pipeline.outgoing_edges("start").len(), 1);
/// assert!(attractor::validate_pipeline(&pipeline).is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct PipelineBuilder {
    name: String,
    edit: PipelineEdit,
}

impl Pipeline {
    /// A pipeline built in code, with this name.
    pub fn builder(name: &str) -> PipelineBuilder {
        PipelineBuilder {
            name: name.to_owned(),
            edit: PipelineEdit::default(),
        }
    }
}

impl PipelineBuilder {
    /// Sets an attribute of the graph, such as `goal`.
    #[must_use]
    pub fn attribute(mut self, name: &str, value: &str) -> Self {
        self.edit.graph(name, value);
        self
    }

    /// Adds a node.
    #[must_use]
    pub fn node(mut self, id: &str, attributes: &[(&str, &str)]) -> Self {
        self.edit.node(id, attributes);
        self
    }

    /// Adds an edge.
    #[must_use]
    pub fn edge(self, from: &str, to: &str) -> Self {
        self.edge_with(from, to, &[])
    }

    /// Adds an edge with attributes, such as `condition` and `label`.
    #[must_use]
    pub fn edge_with(mut self, from: &str, to: &str, attributes: &[(&str, &str)]) -> Self {
        self.edit.edge(from, to, attributes);
        self
    }

    /// The pipeline.
    ///
    /// # Errors
    /// It has no nodes.
    pub fn build(self) -> Result<Pipeline, ParseError> {
        let text = format!(
            "digraph {} {{\n{}}}\n",
            quote(&self.name),
            self.edit.as_dot()
        );
        Pipeline::of_text(text.into(), Path::new(UNNAMED), None, &Options::default())
    }
}
