//! `attractor.graph`.

use std::sync::Arc;

use attractor_ide::preview::{self, Preview};
use attractor_ide::runs::RunView;

use crate::errors::Refusal;
use crate::ext::commands::{GraphArgs, GraphEdge, GraphNode, GraphResult};
use crate::runs::launch;
use crate::session::{Session, View};

/// A graph as data and as DOT that every Graphviz draws, with what its newest run did.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: GraphArgs,
) -> Result<GraphResult, Refusal> {
    let view = launch::view(session, &args.uri).await?;
    let draw = move || draw(&view, args.graph.as_deref());
    tokio::task::spawn_blocking(draw)
        .await
        .map_err(|_| Refusal::Broken)?
}

fn draw(view: &View, name: Option<&str>) -> Result<GraphResult, Refusal> {
    let first = view
        .document
        .pipelines()
        .next()
        .map(|(_, pipeline)| pipeline.name.clone());
    let name = name.map(str::to_owned).or(first);
    let runs = view.runs();
    let run = runs
        .iter()
        .find(|run| name.as_ref().is_none_or(|name| run.graph == *name));
    let uri = || view.uri.as_str().to_owned();
    let preview =
        preview::graph(&view.document, name.as_deref(), run).ok_or_else(|| match &name {
            Some(graph) => Refusal::UnknownGraph {
                uri: uri(),
                graph: graph.clone(),
                known: known(view),
            },
            None => Refusal::NoPipeline { uri: uri() },
        })?;
    Ok(convert(view, preview, run))
}

fn convert(view: &View, preview: Preview, run: Option<&RunView>) -> GraphResult {
    let now = run.and_then(|run| view.session.runs.now_of(&run.run));
    let state_of = |id: &str| Some(now.as_ref()?.snapshot.nodes.get(id)?.state);
    let nodes = preview.nodes.into_iter().map(|node| GraphNode {
        state: state_of(&node.id),
        id: node.id,
        element: node.element,
        kind: node.kind.map_or("node", |kind| kind.name()).to_owned(),
        range: view.range(node.range),
    });
    let edges = preview.edges.into_iter().map(|edge| GraphEdge {
        taken: now
            .as_ref()
            .map(|now| now.taken.contains(&(edge.from.clone(), edge.to.clone()))),
        from: edge.from,
        to: edge.to,
        element: edge.element,
        range: view.range(edge.range),
    });
    GraphResult {
        nodes: nodes.collect(),
        edges: edges.collect(),
        dot: preview.dot,
        pipeline: preview.pipeline,
        version: view.document.version,
    }
}

fn known(view: &View) -> String {
    let graphs = view.document.analysis.graphs.iter();
    let names = graphs.filter_map(|info| match &info.pipeline {
        Some(pipeline) => Some(pipeline.name.as_str()),
        None => info.graph.name.as_deref(),
    });
    names.collect::<Vec<_>>().join(", ")
}
