//! Where a run is.

use std::path::PathBuf;
use std::sync::Arc;

use crate::errors::ServerError;
use crate::runs::run_source::RunSource;
use crate::runs::runs_on_disk;
use crate::session::Session;

/// A run by its id: one that is followed, one of the server elsewhere, or one on the disk.
pub(super) async fn find(session: &Arc<Session>, run: &str) -> Result<RunSource, ServerError> {
    if let Ok(run) = session.runs.get(run) {
        return Ok(run.source.clone());
    }
    if let Some(run) = session.runs.remote.find(run) {
        return Ok(RunSource::Remote(run));
    }
    let summary = runs_on_disk::find(&session.workspace, &session.documents, run).await?;
    Ok(RunSource::Stored(summary))
}

/// The directory of a run of this machine; `what` is not possible for others.
pub(super) async fn directory(
    session: &Arc<Session>,
    run: &str,
    what: &'static str,
) -> Result<PathBuf, ServerError> {
    let source = find(session, run).await?;
    let directory = source.directory().map(PathBuf::from);
    directory.ok_or_else(|| ServerError::NotHere {
        run: run.to_owned(),
        server: source.server().unwrap_or_default(),
        what,
    })
}
