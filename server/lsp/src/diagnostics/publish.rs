//! `textDocument/publishDiagnostics`.
//!
//! One task takes the newest snapshot of each enqueued document, analyzes it and publishes, so that a burst of changes
//! costs one analysis and nothing stale is ever sent. Clients that pull diagnostics are sent none.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;

use attractor_proto::diagnostics;
use futures::FutureExt as _;
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{PublishDiagnosticsParams, Uri};

use crate::documents::Snapshot;
use crate::session::Session;
use crate::{analysis, context, scenarios, transport};

/// Publishes what is due until the server stops.
pub(crate) async fn publish_loop(session: Arc<Session>) {
    loop {
        let due = session.notifier.diagnostics.next().await;
        if session.notifier.features().pull_diagnostics {
            continue;
        }
        for uri in due {
            let published = AssertUnwindSafe(publish(&session, uri.clone())).catch_unwind();
            if published.await.is_err() {
                tracing::error!(
                    uri = uri.as_str(),
                    "the analysis of the document panicked; the server is still running"
                );
            }
        }
    }
}

async fn publish(session: &Arc<Session>, uri: Uri) {
    if let Some(snapshot) = session.scenario_documents.get(&uri) {
        return publish_scenarios(session, snapshot).await;
    }
    let frame = match session.documents.get(&uri) {
        None => frame(&PublishDiagnosticsParams::new(uri, Vec::new(), None)),
        Some(snapshot) if snapshot.is_quick() => frame(&params(session, &snapshot)),
        Some(snapshot) => {
            let session = Arc::clone(session);
            let work = tokio::task::spawn_blocking(move || {
                analysis::document(&session.documents, &snapshot);
                // A newer version was enqueued when it came; that is the one to publish.
                let is_current = session.documents.is_current(&snapshot);
                is_current
                    .then(|| frame(&params(&session, &snapshot)))
                    .flatten()
            });
            work.await
                .unwrap_or_else(|panic| resume_unwind(panic.into_panic()))
        }
    };
    if let Some(frame) = frame {
        session.notifier.frames.send(frame).await;
    }
}

/// The pipeline of a scenario file is read from the disk, so this is done on a blocking thread.
async fn publish_scenarios(session: &Arc<Session>, snapshot: Arc<Snapshot>) {
    let this = Arc::clone(session);
    let work = tokio::task::spawn_blocking(move || {
        let diagnostics = scenarios::diagnostics::of(&this, &snapshot);
        let (uri, version) = (snapshot.uri.clone(), Some(snapshot.version));
        let params = PublishDiagnosticsParams::new(uri, diagnostics, version);
        let is_current = this.scenario_documents.is_current(&snapshot);
        is_current.then(|| frame(&params)).flatten()
    });
    let frame = work
        .await
        .unwrap_or_else(|panic| resume_unwind(panic.into_panic()));
    if let Some(frame) = frame {
        session.notifier.frames.send(frame).await;
    }
}

fn params(session: &Session, snapshot: &Arc<Snapshot>) -> PublishDiagnosticsParams {
    let diagnostics = diagnostics::shown(&context::of_snapshot(session, snapshot));
    PublishDiagnosticsParams::new(snapshot.uri.clone(), diagnostics, Some(snapshot.version))
}

fn frame(params: &PublishDiagnosticsParams) -> Option<Vec<u8>> {
    transport::notification(PublishDiagnostics::METHOD, params)
}
