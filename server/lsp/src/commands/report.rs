//! `attractor.report`.

use std::sync::Arc;

use attractor_run::{RunSnapshot, RunState, split_child};

use crate::errors::ServerError;
use crate::ext::commands::{ReportArgs, ReportResult};
use crate::runs::prepare::engine_error;
use crate::runs::runs_on_disk;
use crate::session::Session;

/// The status report of a run, from memory for runs of this server, else from the journal.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ReportArgs,
) -> Result<ReportResult, ServerError> {
    let (run, child) = split_child(&args.run);
    let snapshot = match session.runs.get(run) {
        Ok(run) => run.handle.snapshot(),
        Err(_) => on_disk(session, run).await?,
    };
    let snapshot = match child {
        Some(child) => snapshot.child(child),
        None => Some(&snapshot),
    };
    let report = snapshot
        .map(RunSnapshot::status_report)
        .ok_or(ServerError::UnknownRun { run: args.run })?;
    Ok(ReportResult {
        text: report.text(),
        report: serde_json::to_value(report).map_err(|_| ServerError::Internal)?,
    })
}

async fn on_disk(session: &Arc<Session>, run: &str) -> Result<RunSnapshot, ServerError> {
    let summary = runs_on_disk::find(&session.workspace, &session.documents, run).await?;
    let state = summary.state;
    let read = move || attractor_run::load_events(&summary.directory);
    let events = tokio::task::spawn_blocking(read)
        .await
        .map_err(|_| ServerError::Internal)?;
    let events = events.map_err(|error| engine_error(&error))?;
    let mut snapshot = RunSnapshot::of(&events);
    if state == RunState::Interrupted {
        snapshot.interrupt();
    }
    Ok(snapshot)
}
