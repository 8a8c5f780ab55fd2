//! The end of typing: after a while without an edit every diagnostic of a document is reported.

use std::sync::Arc;
use std::time::Duration;

use lsp_types::Uri;

use crate::refresh_queue::RefreshKind;
use crate::session::Session;

/// How long after the last edit a document counts as settled.
const SILENCE: Duration = Duration::from_secs(1);

/// Reports everything about a version of a document in a second, unless it is saved or edited before.
pub(crate) fn schedule(session: &Arc<Session>, uri: Uri, version: i32) {
    let this = Arc::clone(session);
    session.notifier.tasks.spawn(async move {
        tokio::time::sleep(SILENCE).await;
        if this.documents.settle(&uri, Some(version)) {
            this.notifier.diagnostics.enqueue(uri);
            this.notifier.refresh.enqueue([RefreshKind::Diagnostic]);
        }
    });
}
