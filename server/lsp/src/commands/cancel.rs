//! `attractor.cancel`.

use std::sync::Arc;

use crate::errors::ServerError;
use crate::ext::commands::{CancelArgs, CancelResult};
use crate::session::Session;

/// Requests a run to stop; its events report the end.
pub(crate) fn handle(
    session: &Arc<Session>,
    args: CancelArgs,
) -> Result<CancelResult, ServerError> {
    let run = session.runs.get(&args.run)?;
    let state = run.state();
    run.handle.cancel(&session.notifier.person());
    Ok(CancelResult {
        run: args.run,
        state,
    })
}
