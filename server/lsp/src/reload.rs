//! Analyzes every open document again: files they depend on, or the settings, changed.

use crate::refresh_queue::RefreshKind;
use crate::session::Session;
use crate::{analysis, scenarios};

/// Discards every analysis, and updates the editor.
pub(crate) fn reload(session: &Session) {
    let (documents, notifier) = (&session.documents, &session.notifier);
    session.workspace_words.invalidate();
    documents.reload(|uri| analysis::options(&session.workspace, notifier, uri));
    for snapshot in documents.all() {
        notifier.diagnostics.enqueue(snapshot.uri.clone());
    }
    scenarios::enqueue_all(session);
    notifier.refresh.enqueue([
        RefreshKind::Diagnostic,
        RefreshKind::CodeLens,
        RefreshKind::InlayHint,
        RefreshKind::SemanticTokens,
    ]);
}
