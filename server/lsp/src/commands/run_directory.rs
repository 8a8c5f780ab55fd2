//! Where a run is stored.

use std::path::PathBuf;
use std::sync::Arc;

use crate::errors::ServerError;
use crate::runs::runs_on_disk;
use crate::session::Session;

/// The directory of a run, of this server or of another process.
pub(super) async fn run_directory(
    session: &Arc<Session>,
    run: &str,
) -> Result<PathBuf, ServerError> {
    if let Ok(run) = session.runs.get(run) {
        return Ok(run.handle.directory().to_owned());
    }
    let summary = runs_on_disk::find(&session.workspace, &session.documents, run).await?;
    Ok(summary.directory)
}
