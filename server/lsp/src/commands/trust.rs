//! `attractor.trust`.

use std::sync::Arc;

use crate::context;
use crate::errors::ServerError;
use crate::ext::commands::{TrustArgs, TrustResult};
use crate::runs::prepare;
use crate::session::Session;
use crate::settings::WorkspaceTrust;
use attractor_proto::RequestError;

/// Stores a trust decision about every pipeline of a document.
pub(crate) async fn handle(
    session: &Arc<Session>,
    args: TrustArgs,
) -> Result<TrustResult, ServerError> {
    let context = context::load(session, &args.uri).await?;
    let workspace = Arc::clone(&session.workspace);
    let api_keys = session.api_keys.get();
    let find = move || prepare::trust_keys(&context, &workspace, &api_keys);
    let keys = tokio::task::spawn_blocking(find)
        .await
        .map_err(|_| RequestError::Internal)??;
    for key in &keys {
        session.trust.decide(key, args.decision)?;
    }
    let restricted = session.workspace.settings().workspace_trust == WorkspaceTrust::Restricted;
    let trusted = !restricted && keys.iter().all(|key| session.trust.allows(key));
    Ok(TrustResult { trusted })
}
