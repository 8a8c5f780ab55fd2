//! `attractor.consent`.

use std::sync::Arc;

use super::launch::prepare_run;
use crate::errors::ServerError;
use crate::ext::commands::{ConsentArgs, ConsentResult};
use crate::runs::trust_prompt;
use crate::session::Session;
use crate::settings::WorkspaceTrust;
use crate::show_document;

/// Writes a document with everything a run can do and answers with its URI. Clients that do not draw runs are asked to
/// show it.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: ConsentArgs,
) -> Result<ConsentResult, ServerError> {
    let prepared = prepare_run(session, &args.uri, args.graph.as_deref()).await?;
    let trust = &session.trust;
    let uri = trust_prompt::write_consent(trust, &prepared)?;
    show_document::unless_client_draws_runs(&session.notifier, &uri);
    let restricted = session.workspace.settings().workspace_trust == WorkspaceTrust::Restricted;
    Ok(ConsentResult {
        uri,
        trusted: !restricted && trust.allows(&prepared.trust_key),
        question: prepared.question(trust),
        diff_since_approved: trust.diff_since_approved(&prepared.trust_key),
    })
}
