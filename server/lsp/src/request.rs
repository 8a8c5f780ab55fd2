//! Answers requests about one document.

use std::sync::Arc;

use lsp_types::Uri;
use serde::Serialize;
use tower_lsp::jsonrpc::{Error, Result};

use crate::context::RequestContext;
use crate::documents::Snapshot;
use crate::session::Session;

/// How an answer about a version is treated that the client has changed meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StalePolicy {
    /// The request fails with `ContentModified`.
    Refuse,
    /// The client gets the answer.
    Answer,
}

/// Answers a request from the document as the client has it now; `None` when it is not open. The snapshot is taken at
/// once. Large documents are analyzed on a blocking thread; when such a document changed meanwhile, the positions of
/// the answer would be wrong, so it is `ContentModified`.
pub(crate) fn answer<T: Send + 'static>(
    session: &Arc<Session>,
    uri: &Uri,
    compute: impl FnOnce(&RequestContext) -> T + Send + 'static,
) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
    answer_with(session, uri, StalePolicy::Refuse, compute)
}

/// The same with the answer as JSON, `null` when the document is not open: for [`crate::large_responses`].
pub(crate) async fn answer_json<T: Serialize>(
    session: &Arc<Session>,
    uri: &Uri,
    compute: impl FnOnce(&RequestContext) -> T + Send + 'static,
) -> Result<Vec<u8>> {
    let serialize = |context: &RequestContext| serde_json::to_vec(&compute(context));
    match answer(session, uri, serialize).await? {
        Some(json) => json.map_err(|_| Error::internal_error()),
        None => Ok(b"null".to_vec()),
    }
}

/// [`answer`] for requests about what is being typed: the answer is from the document as it was when the request came,
/// even when the client typed on meanwhile. Clients filter it by the letters typed since.
pub(crate) fn answer_from_snapshot<T: Send + 'static>(
    session: &Arc<Session>,
    uri: &Uri,
    compute: impl FnOnce(&RequestContext) -> T + Send + 'static,
) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
    answer_with(session, uri, StalePolicy::Answer, compute)
}

/// Answers a request about an open scenario file, on a blocking thread; `None` when the document is not one.
pub(crate) fn answer_scenarios<T: Send + 'static>(
    session: &Arc<Session>,
    uri: &Uri,
    compute: impl FnOnce(&Session, &Snapshot) -> T + Send + 'static,
) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
    let snapshot = session.scenario_documents.get(uri);
    let session = Arc::clone(session);
    async move {
        let Some(snapshot) = snapshot else {
            return Ok(None);
        };
        let answer = tokio::task::spawn_blocking(move || compute(&session, &snapshot));
        answer.await.map(Some).map_err(|_| Error::internal_error())
    }
}

fn answer_with<T: Send + 'static>(
    session: &Arc<Session>,
    uri: &Uri,
    stale: StalePolicy,
    compute: impl FnOnce(&RequestContext) -> T + Send + 'static,
) -> impl Future<Output = Result<Option<T>>> + Send + 'static {
    let snapshot = session.documents.get(uri);
    let session = Arc::clone(session);
    async move {
        let Some(snapshot) = snapshot else {
            return Ok(None);
        };
        if snapshot.is_small() {
            return Ok(Some(compute(&RequestContext::new(&session, &snapshot))));
        }
        let is_useful = move |session: &Session, snapshot: &Arc<Snapshot>| {
            stale == StalePolicy::Answer || session.documents.is_current(snapshot)
        };
        let (worker, analyzed) = (Arc::clone(&session), Arc::clone(&snapshot));
        let answer = tokio::task::spawn_blocking(move || {
            // A snapshot that is stale before its turn came is not analyzed.
            is_useful(&worker, &analyzed).then(|| compute(&RequestContext::new(&worker, &analyzed)))
        });
        let answer = answer.await.map_err(|_| Error::internal_error())?;
        if answer.is_some() && is_useful(&session, &snapshot) {
            Ok(answer)
        } else {
            Err(Error::content_modified())
        }
    }
}
