//! Refresh requests to the client: code lenses, inlay hints, diagnostics, semantic tokens.
//!
//! Requests are collected and sent by one task, one at a time, so that a run with many events never has more than one
//! request of a kind in flight.

use std::collections::BTreeSet;
use std::sync::Mutex;

use tokio::sync::Notify;

use attractor_proto::sync::lock;

/// What the client is to request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RefreshKind {
    /// `textDocument/codeLens`.
    CodeLens,
    /// `textDocument/inlayHint`.
    InlayHint,
    /// `textDocument/diagnostic`.
    Diagnostic,
    /// `textDocument/semanticTokens`.
    SemanticTokens,
}

/// The refresh requests that are due.
#[derive(Debug, Default)]
pub(crate) struct RefreshQueue {
    due: Mutex<BTreeSet<RefreshKind>>,
    wake: Notify,
}

impl RefreshQueue {
    /// Enqueues all of `kinds`.
    pub(crate) fn enqueue(&self, kinds: impl IntoIterator<Item = RefreshKind>) {
        lock(&self.due).extend(kinds);
        self.wake.notify_one();
    }

    /// Waits until something is due and takes it.
    pub(crate) async fn next(&self) -> BTreeSet<RefreshKind> {
        self.wake.notified().await;
        std::mem::take(&mut *lock(&self.due))
    }
}
