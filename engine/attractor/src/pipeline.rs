//! A pipeline: read from DOT, or built in code.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use attractor_lint::{Analysis, analyze};
use attractor_model::{Diagnostic, Edge, FileKind, Node, Options, Severity};
use attractor_run::{ProjectFiles, project_root};

use crate::edit::PipelineEdit;
use crate::error::ParseError;

/// The name of a text that is not a file.
pub(crate) const UNNAMED: &str = "pipeline.dot";

/// A pipeline with its DOT text. Reading it does not validate it: [`validate_pipeline`] does, and so does a run.
#[derive(Debug, Clone)]
pub struct Pipeline {
    model: Arc<attractor_model::Pipeline>,
    text: Arc<str>,
    path: PathBuf,
    options: Options,
    analysis: Arc<Analysis>,
}

/// Reads the first pipeline of a DOT file.
///
/// # Errors
/// The file cannot be read, is not DOT, or has no graph.
pub fn parse_dot_file(path: impl AsRef<Path>) -> Result<Pipeline, ParseError> {
    Pipeline::read(path.as_ref(), None, &Options::default())
}

/// Reads the first pipeline of a DOT text.
///
/// ```
/// let pipeline = attractor::parse_dot_str("digraph release { start [shape=Mdiamond]; start -> done }").unwrap();
/// assert_eq!(pipeline.name(), "release");
/// assert!(attractor::parse_dot_str("digraph {").is_err());
/// ```
///
/// # Errors
/// The text is not DOT, or has no graph.
pub fn parse_dot_str(text: &str) -> Result<Pipeline, ParseError> {
    Pipeline::of_text(text.into(), Path::new(UNNAMED), None, &Options::default())
}

/// What the validator says about a pipeline, by place.
pub fn validate_pipeline(pipeline: &Pipeline) -> Vec<Diagnostic> {
    let range = pipeline.model.range;
    let diagnostics = pipeline.analysis.diagnostics.iter();
    diagnostics
        .filter(|one| one.rule == "syntax" || range.contains_range(one.range))
        .cloned()
        .collect()
}

/// What the validator says about a DOT file, syntax errors included, by place.
///
/// # Errors
/// The file cannot be read.
pub fn validate_dot_file(path: impl AsRef<Path>) -> Result<Vec<Diagnostic>, ParseError> {
    let path = path.as_ref();
    let text = read(path)?;
    let options = Options {
        path: Some(path.display().to_string()),
        kind: FileKind::Pipelines,
        ..Options::default()
    };
    let parse = attractor_model::dot::parse(&text);
    Ok(analyze(&text, &parse, &options, &files_of(path)).diagnostics)
}

fn read(path: &Path) -> Result<Arc<str>, ParseError> {
    let text = std::fs::read_to_string(path).map_err(|source| ParseError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    Ok(text.into())
}

/// Whether a run would be refused.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    let mut diagnostics = diagnostics.iter();
    diagnostics.any(|one| one.severity == Severity::Error)
}

impl Pipeline {
    /// Reads a file; `graph` names one of its pipelines, without it the first one is taken.
    pub(crate) fn read(
        path: &Path,
        graph: Option<&str>,
        options: &Options,
    ) -> Result<Self, ParseError> {
        Self::of_text(read(path)?, path, graph, options)
    }

    pub(crate) fn of_text(
        text: Arc<str>,
        path: &Path,
        graph: Option<&str>,
        options: &Options,
    ) -> Result<Self, ParseError> {
        let mut options = options.clone();
        options.path = Some(path.display().to_string());
        // A program that reads a graph with this crate means to run it.
        options.kind = FileKind::Pipelines;
        let parse = attractor_model::dot::parse(&text);
        let files = files_of(path);
        let analysis = Arc::new(analyze(&text, &parse, &options, &files));
        let mut syntax = analysis.diagnostics.iter();
        if let Some(error) = syntax.find(|one| one.rule == "syntax") {
            let before = text.get(..error.range.start()).unwrap_or_default();
            return Err(ParseError::Syntax {
                path: path.to_owned(),
                line: before.matches('\n').count() + 1,
                message: error.message.clone(),
            });
        }
        let mut pipelines = analysis.pipelines();
        let model = match graph {
            None => pipelines.next(),
            Some(name) => pipelines.find(|pipeline| pipeline.name == name),
        };
        let model = model.cloned().ok_or_else(|| ParseError::NoPipeline {
            path: path.to_owned(),
            graph: graph.map(str::to_owned),
        })?;
        Ok(Self {
            model,
            text,
            path: path.to_owned(),
            options,
            analysis: analysis.clone(),
        })
    }

    /// The same pipeline, read with other options.
    pub(crate) fn with_options(&self, options: &Options) -> Result<Self, ParseError> {
        let text = self.text.clone();
        Self::of_text(text, &self.path, Some(self.name()), options)
    }

    /// The pipeline with these changes.
    ///
    /// # Errors
    /// The changes are not DOT.
    pub fn edited(&self, edit: &PipelineEdit) -> Result<Self, ParseError> {
        let end = self.model.range.end();
        let brace = end.saturating_sub(1);
        let (before, after) = (self.text.get(..brace), self.text.get(brace..));
        let (Some(before), Some(after)) = (before, after) else {
            return Ok(self.clone());
        };
        let text = format!("{}\n{}{after}", before.trim_end(), edit.as_dot());
        Self::of_text(text.into(), &self.path, Some(self.name()), &self.options)
    }

    /// Its name: that of the graph, else the file's stem.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// Its DOT text; that of the whole file.
    pub fn to_dot(&self) -> &str {
        &self.text
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An attribute of the graph, as written.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let attribute = self.model.attributes.get(name)?;
        Some(attribute.value())
    }

    /// Its nodes, in the order of their first mention.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.model.nodes.iter()
    }

    /// Its edges, as written.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.model.edges.iter()
    }

    /// The node of that id.
    pub fn node(&self, id: &str) -> Option<&Node> {
        self.model.node_by_id(id)
    }

    /// The node where a run begins.
    pub fn start_node(&self) -> Option<&Node> {
        self.model.node(self.model.start?)
    }

    /// The edges that leave a node, in routing order.
    pub fn outgoing_edges(&self, id: &str) -> Vec<&Edge> {
        let edges = self.model.by_id(id).map(|ix| self.model.outgoing(ix));
        let edges = edges.unwrap_or_default().iter();
        edges.filter_map(|ix| self.model.edge(*ix)).collect()
    }

    /// The edges that lead to a node.
    pub fn incoming_edges(&self, id: &str) -> Vec<&Edge> {
        let edges = self.model.by_id(id).map(|ix| self.model.incoming(ix));
        let edges = edges.unwrap_or_default().iter();
        edges.filter_map(|ix| self.model.edge(*ix)).collect()
    }

    /// The id of a node at the end of an edge.
    pub fn id(&self, node: attractor_model::NodeIx) -> &str {
        self.model.id(node)
    }

    /// The pipeline as the executor sees it.
    pub fn model(&self) -> &Arc<attractor_model::Pipeline> {
        &self.model
    }

    pub(crate) fn siblings(&self) -> Vec<Arc<attractor_model::Pipeline>> {
        self.analysis.pipelines().cloned().collect()
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn text(&self) -> Arc<str> {
        self.text.clone()
    }
}

/// The files that a pipeline of this file may name.
pub(crate) fn files_of(path: &Path) -> ProjectFiles {
    let folder = path.parent().unwrap_or(Path::new(""));
    ProjectFiles::new(folder, &project_root(path))
}
