//! `attractor.runs`.

use std::path::Path;
use std::sync::Arc;

use attractor_run::{RunSummary, children};
use lsp_types::Uri;

use crate::errors::ServerError;
use crate::ext::commands::{RunRow, RunsArgs, RunsResult};
use crate::paths;
use crate::runs::runs_on_disk;
use crate::session::Session;

/// Runs listed when the client names no limit.
const DEFAULT_LIMIT: usize = 100;

/// Lists runs, newest first, each followed by those of its sub-pipelines: those of a document, else of every folder of the workspace. Reads the disk off
/// the server's own task.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: RunsArgs,
) -> Result<RunsResult, ServerError> {
    let session = Arc::clone(session);
    let list = move || {
        let mut runs = match args.uri.as_ref().and_then(paths::path_of) {
            Some(file) => runs_on_disk::of_file(&session.workspace, &file),
            None => runs_on_disk::of_workspace(&session.workspace),
        };
        // Ids are in the order of start.
        runs.sort_by(|one, other| other.run.cmp(&one.run));
        runs.truncate(args.limit.unwrap_or(DEFAULT_LIMIT));
        let with_children = runs.into_iter().flat_map(|run| {
            // A run that could be listed and not be read has just been deleted.
            let children = children(&run.directory).unwrap_or_default();
            std::iter::once(run).chain(children)
        });
        with_children.map(|run| row(&session, run)).collect()
    };
    let runs = tokio::task::spawn_blocking(list)
        .await
        .map_err(|_| ServerError::Internal)?;
    Ok(RunsResult { runs })
}

fn row(session: &Session, run: RunSummary) -> RunRow {
    RunRow {
        uri: uri_of(session, &run.path),
        pipeline: run.pipeline.clone(),
        graph: run.pipeline,
        parent: run
            .run
            .rsplit_once('/')
            .map(|(parent, _)| parent.to_owned()),
        run: run.run,
        state: run.state,
        started_at: run.started_at,
        ended_at: run.ended_at,
        node: run.node,
        steps: run.steps,
        done: run.done,
        nodes: run.nodes,
        mode: run.mode.into(),
        usage: run.usage.into(),
    }
}

fn uri_of(session: &Session, file: &Path) -> Option<Uri> {
    let open = session
        .documents
        .at(file)
        .map(|snapshot| snapshot.uri.clone());
    open.or_else(|| Uri::from_file_path(file))
}
