//! `attractor.cancel`.

use std::sync::Arc;

use super::find_run::find;
use crate::errors::ServerError;
use crate::ext::commands::{CancelArgs, CancelResult};
use crate::session::Session;

/// Requests a run to stop; its events report the end.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: CancelArgs,
) -> Result<CancelResult, ServerError> {
    let source = find(session, &args.run).await?;
    let state = match session.runs.get(&args.run) {
        Ok(run) => run.state(),
        Err(_) => source.snapshot().await?.state,
    };
    source.cancel(&session.notifier.person()).await?;
    Ok(CancelResult {
        run: args.run,
        state,
    })
}
