//! `attractor.cancel`.

use std::sync::Arc;

use crate::errors::Refusal;
use crate::ext::commands::{CancelArgs, CancelResult};
use crate::runs::gates;
use crate::session::Session;

/// Tells a run to stop; its events say when it has.
pub(crate) fn handle(session: &Arc<Session>, args: CancelArgs) -> Result<CancelResult, Refusal> {
    let live = session.runs.get(&args.run)?;
    let state = live.state();
    live.handle.cancel(gates::EDITOR);
    Ok(CancelResult {
        run: args.run,
        state,
    })
}
