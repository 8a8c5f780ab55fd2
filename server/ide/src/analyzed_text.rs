//! A text with everything the engine finds out about it: tokens, tree, graphs, pipelines, diagnostics.
//!
//! Below [`Document`](crate::document::Document), which adds positions and indexes: what the indexes are built from.

use std::borrow::Cow;
use std::sync::Arc;

use attractor_dot::Parse;
use attractor_dot::ast::Id;
use attractor_lint::Analysis;
use attractor_model::{Files, GraphInfo, Options, Pipeline};

use crate::walk;

/// One text, read once.
#[derive(Debug)]
pub struct AnalyzedText {
    /// The text.
    pub text: Arc<str>,
    /// Tokens, tree and syntax errors.
    pub parse: Parse,
    /// What the graphs mean, and every diagnostic.
    pub analysis: Analysis,
    /// How it was read.
    pub options: Options,
}

impl AnalyzedText {
    pub(crate) fn new(text: Arc<str>, options: Options, files: &dyn Files) -> Self {
        let parse = attractor_dot::parse(&text);
        let analysis = attractor_lint::analyze(&text, &parse, &options, files);
        Self {
            text,
            parse,
            analysis,
            options,
        }
    }

    /// The number of the graph around an offset. A graph whose closing brace is missing extends to the next one.
    pub fn graph_at(&self, offset: usize) -> Option<usize> {
        walk::graph_at(&self.parse.file, offset)
    }

    /// What is known of the graph of that number.
    pub fn graph(&self, number: usize) -> Option<&GraphInfo> {
        self.analysis.graphs.get(number)
    }

    /// The pipeline of the graph of that number, if it is one.
    pub fn pipeline(&self, number: usize) -> Option<&Pipeline> {
        self.graph(number)?.pipeline.as_deref()
    }

    /// Every pipeline with its graph's number.
    pub fn pipelines(&self) -> impl Iterator<Item = (usize, &Pipeline)> {
        let numbered = self.analysis.graphs.iter().enumerate();
        numbered.filter_map(|(number, graph)| Some((number, graph.pipeline.as_deref()?)))
    }

    /// What an identifier says, decoded.
    pub(crate) fn decode(&self, id: &Id) -> Cow<'_, str> {
        id.text(&self.text)
    }
}
