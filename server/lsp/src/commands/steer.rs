//! `attractor.steer`.

use std::sync::Arc;

use super::find_run::find;
use crate::errors::ServerError;
use crate::ext::commands::{SteerArgs, SteerResult};
use crate::session::Session;

/// Sends a message to a node. It is in the journal when this answers.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: SteerArgs,
) -> Result<SteerResult, ServerError> {
    let run = find(session, &args.run).await?;
    let by = session.notifier.person();
    let steered = run.steer(&args.node, &args.message, &by).await?;
    if steered.accepted {
        return Ok(SteerResult { queued: true });
    }
    Err(ServerError::SteeringRejected {
        node: args.node,
        reason: steered
            .reason
            .unwrap_or_else(|| "the run is over".to_owned()),
    })
}
