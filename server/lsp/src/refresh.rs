//! Sends the refresh requests of [`RefreshQueue`](crate::refresh_queue::RefreshQueue). Clients that did not announce a
//! kind get no request of it.

use std::sync::Arc;
use std::time::Duration;

use crate::notifier::Notifier;
use crate::refresh_queue::RefreshKind;

/// How long the client may take to answer before the next request is sent.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends what is due until the server stops.
pub(crate) async fn refresh_loop(notifier: Arc<Notifier>) {
    loop {
        for kind in notifier.refresh.next().await {
            // The content of the answer does not matter, and neither does a client that never answers.
            let _ = tokio::time::timeout(CLIENT_TIMEOUT, send(&notifier, kind)).await;
        }
    }
}

async fn send(notifier: &Notifier, kind: RefreshKind) {
    let (client, features) = (&notifier.client, notifier.features());
    let answer = match kind {
        RefreshKind::CodeLens if features.lens_refresh => client.code_lens_refresh().await,
        RefreshKind::InlayHint if features.hint_refresh => client.inlay_hint_refresh().await,
        RefreshKind::Diagnostic if features.pull_diagnostics => {
            client.workspace_diagnostic_refresh().await
        }
        RefreshKind::SemanticTokens if features.token_refresh => {
            client.semantic_tokens_refresh().await
        }
        RefreshKind::CodeLens
        | RefreshKind::InlayHint
        | RefreshKind::Diagnostic
        | RefreshKind::SemanticTokens => Ok(()),
    };
    if let Err(error) = answer {
        tracing::debug!(?kind, %error, "the client refused a refresh request");
    }
}
