//! `attractor.providers`.

use std::sync::Arc;

use attractor::Providers;

use crate::errors::ServerError;
use crate::ext::commands::{Provider, ProvidersResult};
use crate::session::Session;
use attractor_proto::RequestError;

/// The providers of models, and where their keys come from. Never the keys themselves.
pub(crate) async fn handle(session: &Arc<Session>) -> Result<ProvidersResult, ServerError> {
    let session = Arc::clone(session);
    let list = move || {
        let configuration = session.workspace.user_configuration();
        let providers = Providers::with_editor_keys(&configuration, &session.api_keys.get());
        let rows = providers.statuses().iter().map(|status| Provider {
            id: status.id.clone(),
            name: status.name.clone(),
            key: status.key.clone(),
            key_variable: status.key_variable.clone(),
        });
        rows.collect()
    };
    let providers = tokio::task::spawn_blocking(list)
        .await
        .map_err(|_| RequestError::Internal)?;
    Ok(ProvidersResult { providers })
}
