//! `attractor.graph`.

use std::sync::Arc;

use attractor_ide::preview::{self, Preview};
use attractor_ide::runs::RunView;

use crate::context::{self, RequestContext};
use crate::errors::ServerError;
use crate::ext::commands::{GraphArgs, GraphEdge, GraphNode, GraphResult};
use crate::runs::registry::RunRegistry;
use crate::session::Session;
use crate::to_proto;

/// A graph as data and as DOT that every Graphviz draws, with what its newest run did.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: GraphArgs,
) -> Result<GraphResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let runs = Arc::clone(&session.runs);
    let draw = move || draw(&context, &runs, args.graph.as_deref());
    tokio::task::spawn_blocking(draw)
        .await
        .map_err(|_| ServerError::Internal)?
}

fn draw(
    context: &RequestContext,
    registry: &RunRegistry,
    name: Option<&str>,
) -> Result<GraphResult, ServerError> {
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
            Some(graph) => ServerError::UnknownGraph {
                uri: uri(),
                graph: graph.clone(),
                known: known(context),
            },
            None => ServerError::NoPipeline { uri: uri() },
        })?;
    Ok(convert(context, registry, preview, run))
}

fn convert(
    context: &RequestContext,
    registry: &RunRegistry,
    preview: Preview,
    run: Option<&RunView>,
) -> GraphResult {
    let projection = run.and_then(|run| registry.projection_of(&run.run));
    let state_of = |id: &str| Some(projection.as_ref()?.snapshot.nodes.get(id)?.state);
    let nodes = preview.nodes.into_iter().map(|node| GraphNode {
        state: state_of(&node.id),
        id: node.id,
        element: node.element,
        kind: node.kind.map_or("node", |kind| kind.name()).to_owned(),
        range: to_proto::range(context, node.range),
        statement: to_proto::range(context, node.statement),
    });
    let edges = preview.edges.into_iter().map(|edge| GraphEdge {
        taken: projection.as_ref().map(|projection| {
            projection
                .taken
                .contains(&(edge.from.clone(), edge.to.clone()))
        }),
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
