//! `window/showDocument` for documents the server writes: logs and consent documents.

use std::sync::Arc;

use lsp_types::{ShowDocumentParams, Uri};

use crate::notifier::Notifier;

/// Shows a document, in the background. Clients that draw runs show it themselves.
pub(crate) fn unless_client_draws_runs(notifier: &Arc<Notifier>, uri: &Uri) {
    if notifier.features().run_state {
        return;
    }
    let (this, uri) = (Arc::clone(notifier), uri.clone());
    notifier.tasks.spawn(async move {
        show_document(&this, uri).await;
    });
}

/// Shows a document. `false` when the client cannot.
pub(crate) async fn show_document(notifier: &Notifier, uri: Uri) -> bool {
    if !notifier.features().show_document {
        return false;
    }
    let params = ShowDocumentParams {
        uri,
        external: None,
        take_focus: Some(true),
        selection: None,
    };
    match notifier.client.show_document(params).await {
        Ok(shown) => shown,
        Err(error) => {
            tracing::debug!(%error, "the client refused to show a document");
            false
        }
    }
}
