//! The documents whose diagnostics are to be published.

use std::collections::BTreeSet;
use std::sync::Mutex;

use lsp_types::Uri;
use tokio::sync::Notify;

use attractor_proto::sync::lock;

/// Code that changes what the diagnostics of a document depend on (its text, a file it uses, a run of it) enqueues it.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticsQueue {
    due: Mutex<BTreeSet<Uri>>,
    wake: Notify,
}

impl DiagnosticsQueue {
    /// The diagnostics of a document may have changed.
    pub(crate) fn enqueue(&self, uri: Uri) {
        lock(&self.due).insert(uri);
        self.wake.notify_one();
    }

    /// Waits until a document is due and takes all that are.
    pub(crate) async fn next(&self) -> BTreeSet<Uri> {
        self.wake.notified().await;
        std::mem::take(&mut *lock(&self.due))
    }
}
