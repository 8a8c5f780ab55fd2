//! `attractor.runs`.

use std::path::Path;
use std::sync::Arc;

use attractor_run::{RunSummary, children};
use lsp_types::Uri;
use rustc_hash::FxHashSet;

use crate::errors::ServerError;
use crate::ext::commands::{RunRow, RunsArgs, RunsResult};
use crate::paths;
use crate::runs::runs_on_disk;
use crate::session::Session;
use attractor_proto::RequestError;

/// Runs listed when the client names no limit.
const DEFAULT_LIMIT: usize = 100;

/// Lists runs, newest first, each followed by those of its sub-pipelines: those of a document, else of every folder of the
/// workspace and of the server elsewhere. Reads the disk off the server's own task.
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
        let (server, elsewhere) = elsewhere(&session, args.uri.as_ref());
        let ids: FxHashSet<_> = elsewhere.iter().map(|run| run.run.clone()).collect();
        // A server of this machine may serve the runs of this very folder.
        runs.retain(|run| !ids.contains(&run.run));
        runs.extend(elsewhere);
        // Ids are in the order of start.
        runs.sort_by(|one, other| other.run.cmp(&one.run));
        runs.truncate(args.limit.unwrap_or(DEFAULT_LIMIT));
        let rows = runs.into_iter().flat_map(|run| {
            if ids.contains(&run.run) {
                return vec![remote_row(&session, run, &server)];
            }
            // A run that could be listed and not be read has just been deleted.
            let children = children(&run.directory).unwrap_or_default();
            let with_children = std::iter::once(run).chain(children);
            with_children.map(|run| row(&session, run)).collect()
        });
        rows.collect()
    };
    let runs = tokio::task::spawn_blocking(list)
        .await
        .map_err(|_| RequestError::Internal)?;
    Ok(RunsResult { runs })
}

/// The name of the server elsewhere, and its runs but those of this process: those shown in a document, else all.
fn elsewhere(session: &Session, uri: Option<&Uri>) -> (String, Vec<RunSummary>) {
    let (server, mut runs) = session.runs.remote.list().unwrap_or_default();
    let file = uri.and_then(paths::path_of);
    runs.retain(|run| {
        let followed = session.runs.get(&run.run).ok();
        let is_local = followed.as_ref().is_some_and(|run| run.source.is_local());
        let is_shown = |file| followed.as_ref().is_some_and(|run| run.is_of(file));
        !is_local && file.as_deref().is_none_or(is_shown)
    });
    (server, runs)
}

/// A run of the server elsewhere. The list of the server may be older than what a follower knows.
fn remote_row(session: &Session, run: RunSummary, server: &str) -> RunRow {
    let followed = session.runs.get(&run.run).ok();
    let state = followed.as_ref().map(|followed| followed.state());
    let uri = followed.map(|followed| followed.document().uri.clone());
    RunRow {
        uri,
        server: Some(server.to_owned()),
        state: state.unwrap_or(run.state),
        ..row(session, run)
    }
}

fn row(session: &Session, run: RunSummary) -> RunRow {
    RunRow {
        uri: uri_of(session, &run.path),
        server: None,
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
        reality: run.reality,
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
