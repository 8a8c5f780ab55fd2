//! `attractor.trust`.

use std::sync::Arc;

use crate::errors::Refusal;
use crate::ext::commands::{TrustArgs, TrustResult};
use crate::runs::launch;
use crate::session::Session;
use crate::settings::WorkspaceTrust;

/// Takes a person's choice before they are asked.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: TrustArgs,
) -> Result<TrustResult, Refusal> {
    let subjects = launch::subjects(session, &args.uri).await?;
    for subject in &subjects {
        session.trust.decide(subject, args.decision)?;
    }
    let restricted = session.settings().workspace_trust == WorkspaceTrust::Restricted;
    let trusted = !restricted && subjects.iter().all(|subject| session.trust.allows(subject));
    Ok(TrustResult { trusted })
}
