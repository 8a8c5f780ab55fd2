//! `window/showDocument` for documents the server writes: logs and consent documents.

use std::sync::Arc;

use lsp_types::{ShowDocumentParams, Uri};

use crate::session::Session;

/// Shows a document in clients that do not draw runs themselves.
pub(crate) fn unless_drawn(session: &Arc<Session>, uri: &Uri) {
    if session.features().run_state {
        return;
    }
    let (this, uri) = (Arc::clone(session), uri.clone());
    session.spawn(async move {
        show(&this, uri).await;
    });
}

/// Shows a document. `false` when the client cannot.
pub(crate) async fn show(session: &Session, uri: Uri) -> bool {
    if !session.features().show_document {
        return false;
    }
    let params = ShowDocumentParams {
        uri,
        external: None,
        take_focus: Some(true),
        selection: None,
    };
    match session.client.show_document(params).await {
        Ok(shown) => shown,
        Err(error) => {
            tracing::debug!(%error, "the client does not show a document");
            false
        }
    }
}
