//! `attractor.graph`.

use std::sync::Arc;

use attractor_ide::model::NodeState;
use attractor_proto::commands::graph::{RunProgress, graph};

use crate::context;
use crate::errors::ServerError;
use crate::ext::commands::{GraphArgs, GraphResult};
use crate::runs::projection::RunProjection;
use crate::session::Session;
use attractor_proto::RequestError;

/// A graph as data and as DOT that every Graphviz draws, with what its newest run did.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: GraphArgs,
) -> Result<GraphResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let runs = Arc::clone(&session.runs);
    let draw = move || {
        graph(&context, args.graph.as_deref(), |run| {
            Some(Box::new(Progress(runs.projection_of(run)?)))
        })
    };
    let drawn = tokio::task::spawn_blocking(draw).await;
    Ok(drawn.map_err(|_| RequestError::Internal)??)
}

struct Progress(Arc<RunProjection>);

impl RunProgress for Progress {
    fn state_of(&self, node: &str) -> Option<NodeState> {
        Some(self.0.snapshot.nodes.get(node)?.state)
    }

    fn is_taken(&self, from: &str, to: &str) -> bool {
        self.0.taken.contains(&(from.to_owned(), to.to_owned()))
    }
}
