//! Keeps the client's diagnostics current.
//!
//! Whoever changes what a document's diagnostics depend on (its text, a file beside it, a run of it) marks
//! it on the [`Board`]. One task works the board off: it takes the newest snapshot of each marked document,
//! reads it and publishes, so that a burst of changes costs one reading and nothing stale is ever sent.
//! Clients that fetch diagnostics themselves are not sent any.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Arc, Mutex};

use attractor_ide::diagnostics as problems;
use futures::FutureExt as _;
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use tokio::sync::Notify;

use crate::documents::Snapshot;
use crate::session::{Session, View};
use crate::sync::lock;
use crate::{to_proto, transport};

/// The documents whose diagnostics are to be sent.
#[derive(Debug, Default)]
pub(crate) struct Board {
    marked: Mutex<BTreeSet<Uri>>,
    wake: Notify,
}

impl Board {
    /// The diagnostics of a document may have changed.
    pub(crate) fn mark(&self, uri: Uri) {
        lock(&self.marked).insert(uri);
        self.wake.notify_one();
    }
}

/// Works the board off for as long as the session lasts.
pub(crate) async fn keep_current(session: Arc<Session>) {
    loop {
        session.diagnostics.wake.notified().await;
        let marked = std::mem::take(&mut *lock(&session.diagnostics.marked));
        if session.features().pull_diagnostics {
            continue;
        }
        for uri in marked {
            let published = AssertUnwindSafe(publish(&session, uri.clone())).catch_unwind();
            if published.await.is_err() {
                tracing::error!(
                    uri = uri.as_str(),
                    "reading the document panicked; the server goes on"
                );
            }
        }
    }
}

async fn publish(session: &Arc<Session>, uri: Uri) {
    let frame = match session.documents.get(&uri) {
        None => frame(&PublishDiagnosticsParams::new(uri, Vec::new(), None)),
        Some(snapshot) if snapshot.is_quick() => frame(&told(session, &snapshot)),
        Some(snapshot) => {
            let (worker, held) = (Arc::clone(session), Arc::clone(&snapshot));
            let work = tokio::task::spawn_blocking(move || {
                held.document();
                // A newer version marked the document again when it came; that is the one to publish.
                let current = worker.documents.is_current(&held);
                current.then(|| frame(&told(&worker, &held))).flatten()
            });
            work.await
                .unwrap_or_else(|panic| resume_unwind(panic.into_panic()))
        }
    };
    if let Some(frame) = frame {
        session.post.send(frame).await;
    }
}

fn told(session: &Arc<Session>, snapshot: &Arc<Snapshot>) -> PublishDiagnosticsParams {
    let diagnostics = of(&View::new(session, snapshot));
    PublishDiagnosticsParams::new(snapshot.uri.clone(), diagnostics, Some(snapshot.version))
}

fn frame(params: &PublishDiagnosticsParams) -> Option<Vec<u8>> {
    transport::notification(PublishDiagnostics::METHOD, params)
}

/// Every diagnostic of a document: what its text says, and what its runs say.
pub(crate) fn of(view: &View) -> Vec<Diagnostic> {
    let problems = problems::diagnostics(&view.document, &view.runs());
    problems
        .iter()
        .map(|problem| to_proto::diagnostic(view, problem))
        .collect()
}
