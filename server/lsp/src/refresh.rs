//! Asks the client to ask again: lenses, hints, diagnostics.
//!
//! Requests are gathered and sent by one task, one at a time, so that a lively run never has more than one
//! request of a kind under way. Clients that did not announce a kind are not asked.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;

use crate::session::Session;
use crate::sync::lock;

/// How long a client may take to answer before it is asked the next time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the client is to ask again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `textDocument/codeLens`.
    Lenses,
    /// `textDocument/inlayHint`.
    Hints,
    /// `textDocument/diagnostic`.
    Diagnostics,
    /// `textDocument/semanticTokens`.
    Tokens,
}

/// What is to be asked again.
#[derive(Debug, Default)]
pub(crate) struct Refresh {
    due: Mutex<BTreeSet<Kind>>,
    wake: Notify,
}

impl Refresh {
    /// Asks for all of `kinds`, soon.
    pub(crate) fn ask(&self, kinds: impl IntoIterator<Item = Kind>) {
        lock(&self.due).extend(kinds);
        self.wake.notify_one();
    }
}

/// Sends what is due for as long as the session lasts.
pub(crate) async fn keep_asking(session: Arc<Session>) {
    loop {
        session.refresh.wake.notified().await;
        let due = std::mem::take(&mut *lock(&session.refresh.due));
        for kind in due {
            // What the client answers does not matter, and neither does a client that never does.
            let _ = tokio::time::timeout(PATIENCE, send(&session, kind)).await;
        }
    }
}

async fn send(session: &Session, kind: Kind) {
    let (client, features) = (&session.client, session.features());
    let answer = match kind {
        Kind::Lenses if features.lens_refresh => client.code_lens_refresh().await,
        Kind::Hints if features.hint_refresh => client.inlay_hint_refresh().await,
        Kind::Diagnostics if features.pull_diagnostics => {
            client.workspace_diagnostic_refresh().await
        }
        Kind::Tokens if features.token_refresh => client.semantic_tokens_refresh().await,
        Kind::Lenses | Kind::Hints | Kind::Diagnostics | Kind::Tokens => Ok(()),
    };
    if let Err(error) = answer {
        tracing::debug!(?kind, %error, "the client does not ask again");
    }
}
