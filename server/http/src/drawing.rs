//! The graph of a run as data, as DOT with the state of its nodes, and as a picture drawn by Graphviz.

use std::io::{self, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use attractor_model::graphs::{self, GraphInfo};
use attractor_model::render::graphviz;
use attractor_model::sub_pipeline::{self, SubPipeline};
use attractor_model::{FileKind, Files, Node, Options, dot};
use attractor_run::{NodeState, RunSnapshot, StoredSources};
use serde::Serialize;

use crate::error::ApiError;

/// The graph of a run.
#[derive(Serialize)]
pub(crate) struct Drawn {
    /// The name of its pipeline.
    name: String,
    nodes: Vec<DrawnNode>,
    edges: Vec<DrawnEdge>,
    /// The same as DOT, without the states; `element` is the `id` of a node or an edge in the drawing.
    dot: String,
    #[serde(skip)]
    pub(crate) dot_with_states: String,
}

/// A node of it.
#[derive(Serialize)]
struct DrawnNode {
    id: String,
    element: String,
    label: String,
    /// Its kind, as `type` names it.
    kind: String,
    /// The pipeline it calls, as `?graph=` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_pipeline: Option<String>,
    /// Its state, once it has been entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<NodeState>,
}

/// An edge of it.
#[derive(Serialize)]
struct DrawnEdge {
    from: String,
    to: String,
    element: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// Where the pipelines of a run are.
pub(crate) struct Sources {
    /// The file that it was started with.
    pub(crate) file: PathBuf,
    /// The files of the pipelines it calls.
    pub(crate) called: StoredSources,
}

impl Sources {
    /// The pipeline of a run, or one that it calls.
    fn find(&self, run: &RunSnapshot, called: Option<&str>) -> Result<GraphInfo, ApiError> {
        let text = std::fs::read_to_string(&self.file).map_err(|error| {
            ApiError::internal(format!("cannot read the pipeline of the run: {error}"))
        })?;
        let own = read(&text.into());
        let Some(called) = called else {
            let missing = || ApiError::internal("the file of the run has no pipeline");
            return named_or_first(own, &run.pipeline).ok_or_else(missing);
        };
        let siblings: Vec<_> = own
            .iter()
            .filter_map(|info| info.pipeline.clone())
            .collect();
        let found = match sub_pipeline::find(called, &siblings, &self.called) {
            Some(SubPipeline::Sibling(sibling)) => named_or_first(own, &sibling.name),
            Some(SubPipeline::File(path)) => {
                let text = self.called.read(&path);
                text.and_then(|text| read(&text.into()).into_iter().next())
            }
            None => None,
        };
        found.ok_or_else(|| ApiError::not_found("sub-pipeline", called))
    }
}

/// The graph of a run as it is now, or that of a pipeline which it calls.
pub(crate) fn draw(
    sources: &Sources,
    run: &RunSnapshot,
    called: Option<&str>,
) -> Result<Drawn, ApiError> {
    let info = sources.find(run, called)?;
    let (graph, pipeline) = (&*info.graph, info.pipeline.as_deref());
    let state = |id: &str| {
        let node = match called {
            Some(called) => run.nodes.get(&format!("{called}/{id}")),
            None => run.nodes.get(id),
        };
        node.map(|node| node.state)
    };
    let nodes = graph.nodes.iter().enumerate().map(|(index, node)| {
        let in_pipeline = pipeline.and_then(|pipeline| pipeline.node_by_id(&node.id));
        DrawnNode {
            id: node.id.to_string(),
            element: graphviz::node_element(index),
            label: in_pipeline
                .map_or(&*node.id, |node| node.label())
                .to_owned(),
            kind: in_pipeline.map_or("", |node| node.kind.name()).to_owned(),
            sub_pipeline: in_pipeline.and_then(called_by),
            state: state(&node.id),
        }
    });
    let id = |index: usize| {
        let node = graph.nodes.get(index);
        node.map(|node| node.id.to_string()).unwrap_or_default()
    };
    let edges = graph
        .edges
        .iter()
        .enumerate()
        .map(|(index, edge)| DrawnEdge {
            from: id(edge.from()),
            to: id(edge.to()),
            element: graphviz::edge_element(index),
            label: graphviz::edge_label(graph, edge).map(str::to_owned),
        });
    Ok(Drawn {
        name: called.unwrap_or(&run.pipeline).to_owned(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        dot: graphviz::dot(graph, pipeline, |_| None),
        dot_with_states: graphviz::dot(graph, pipeline, |id| state(id).map(color)),
    })
}

/// The name by which a node calls a pipeline.
fn called_by(node: &Node) -> Option<String> {
    let name = node.attributes.get("sub_pipeline")?.value().trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The pipelines of a text.
fn read(text: &Arc<str>) -> Vec<GraphInfo> {
    let options = Options {
        kind: FileKind::Pipelines,
        ..Options::default()
    };
    let mut all = graphs::read(text, &dot::parse(text), &options);
    all.retain(|info| info.pipeline.is_some());
    all
}

/// The pipeline of that name, else the first one: a graph without a name has that of the file it was started from.
fn named_or_first(mut all: Vec<GraphInfo>, name: &str) -> Option<GraphInfo> {
    let named = all.iter().position(|info| {
        let pipeline = info.pipeline.as_deref();
        pipeline.is_some_and(|pipeline| pipeline.name == name)
    });
    let index = named.unwrap_or(0);
    (index < all.len()).then(|| all.swap_remove(index))
}

const fn color(state: NodeState) -> &'static str {
    match state {
        NodeState::Running => "#cfe2ff",
        NodeState::Waiting => "#ffe8b3",
        NodeState::Pending => "#ffd8b3",
        NodeState::Success | NodeState::PartialSuccess => "#d1f0d5",
        NodeState::Fail => "#f8d0d0",
        NodeState::Skipped | NodeState::Cancelled => "#e2e2e2",
    }
}

impl Drawn {
    /// The picture, or why there is none.
    pub(crate) fn svg(&self) -> Result<String, String> {
        let run = || -> io::Result<std::process::Output> {
            // Through a file: writing to a program that writes back may block.
            let mut input = tempfile::tempfile()?;
            io::Write::write_all(&mut input, self.dot_with_states.as_bytes())?;
            input.rewind()?;
            Command::new("dot")
                .arg("-Tsvg")
                .env_clear()
                .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
                .stdin(Stdio::from(input))
                .output()
        };
        let drawn = run().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "the program `dot` of Graphviz is not installed".to_owned(),
            _ => format!("the program `dot` cannot be run: {error}"),
        })?;
        if drawn.status.success() {
            Ok(String::from_utf8_lossy(&drawn.stdout).into_owned())
        } else {
            Err("the program `dot` of Graphviz failed".to_owned())
        }
    }
}
