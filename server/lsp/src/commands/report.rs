//! `attractor.report`.

use std::sync::Arc;

use attractor_run::{split_child, status_report};

use super::find_run::find;
use crate::errors::ServerError;
use crate::ext::commands::{ReportArgs, ReportResult};
use crate::session::Session;
use attractor_proto::RequestError;

/// The status report of a run, wherever it is.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ReportArgs,
) -> Result<ReportResult, ServerError> {
    let (run, child) = split_child(&args.run);
    let snapshot = find(session, run).await?.snapshot().await?;
    let snapshot = match child {
        Some(child) => snapshot.child(child),
        None => Some(&snapshot),
    };
    let report = snapshot
        .map(status_report)
        .ok_or(ServerError::UnknownRun { run: args.run })?;
    Ok(ReportResult {
        text: format!("state: {}\n{}", report.state.name(), report.text()),
        report: serde_json::to_value(report).map_err(|_| RequestError::Internal)?,
    })
}
