//! Answers requests about one document.

use std::sync::Arc;

use attractor_proto::{DocumentRequest, RequestContext, RequestError};
use futures::FutureExt as _;
use lsp_types::Uri;
use tower_lsp::jsonrpc::{Error, Result};

use crate::context;
use crate::documents::Snapshot;
use crate::errors::ServerError;
use crate::session::Session;

/// How an answer about a version is treated that the client has changed meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StalePolicy {
    /// The request fails with `ContentModified`.
    Refuse,
    /// The client gets the answer.
    Answer,
}

/// Answers a request from the document as the client has it now. The snapshot is taken at once. Large documents are
/// analyzed on a blocking thread; when such a document changed meanwhile, the positions of the answer would be wrong, so it
/// is `ContentModified`.
pub(crate) fn answer<R: DocumentRequest>(
    session: &Arc<Session>,
    params: R::Params,
) -> impl Future<Output = Result<R::Result>> + Send + 'static {
    let uri = R::uri(&params).clone();
    let answer = answer_of(session, &uri, move |context| R::answer(context, params));
    answer.map(|answer| Ok(answer?.unwrap_or_default()))
}

/// [`answer`] for requests about what is being typed: the answer is from the document as it was when the request came,
/// even when the client typed on meanwhile. Clients filter it by the letters typed since.
pub(crate) fn answer_from_snapshot<R: DocumentRequest>(
    session: &Arc<Session>,
    params: R::Params,
) -> impl Future<Output = Result<R::Result>> + Send + 'static {
    let uri = R::uri(&params).clone();
    let compute = move |context: &RequestContext| R::answer(context, params);
    let answer = answer_with(session, &uri, StalePolicy::Answer, compute);
    answer.map(|answer| Ok(answer?.unwrap_or_default()))
}

/// [`answer`] as JSON, for [`crate::large_responses`].
pub(crate) async fn answer_json<R: DocumentRequest>(
    session: &Arc<Session>,
    params: R::Params,
) -> Result<Vec<u8>> {
    let uri = R::uri(&params).clone();
    let compute = move |context: &RequestContext| {
        let result = R::answer(context, params)?;
        serde_json::to_vec(&result).map_err(|_| RequestError::Internal)
    };
    let json = answer_of(session, &uri, compute).await?;
    Ok(json.unwrap_or_else(|| b"null".to_vec()))
}

/// What `compute` makes of a document as the client has it now; `None` when it is not open.
pub(crate) fn answer_of<T, F>(
    session: &Arc<Session>,
    uri: &Uri,
    compute: F,
) -> impl Future<Output = Result<Option<T>>> + Send + use<T, F>
where
    T: Send + 'static,
    F: FnOnce(&RequestContext) -> std::result::Result<T, RequestError> + Send + 'static,
{
    answer_with(session, uri, StalePolicy::Refuse, compute)
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

fn answer_with<T, F>(
    session: &Arc<Session>,
    uri: &Uri,
    stale: StalePolicy,
    compute: F,
) -> impl Future<Output = Result<Option<T>>> + Send + use<T, F>
where
    T: Send + 'static,
    F: FnOnce(&RequestContext) -> std::result::Result<T, RequestError> + Send + 'static,
{
    let snapshot = session.documents.get(uri);
    let session = Arc::clone(session);
    async move {
        let Some(snapshot) = snapshot else {
            return Ok(None);
        };
        if snapshot.is_small() {
            let answer = compute(&context::of_snapshot(&session, &snapshot));
            return Ok(Some(answer.map_err(ServerError::from)?));
        }
        let is_useful = move |session: &Session, snapshot: &Arc<Snapshot>| {
            stale == StalePolicy::Answer || session.documents.is_current(snapshot)
        };
        let (worker, analyzed) = (Arc::clone(&session), Arc::clone(&snapshot));
        let answer = tokio::task::spawn_blocking(move || {
            // A snapshot that is stale before its turn came is not analyzed.
            is_useful(&worker, &analyzed)
                .then(|| compute(&context::of_snapshot(&worker, &analyzed)))
        });
        match answer.await.map_err(|_| Error::internal_error())? {
            Some(answer) if is_useful(&session, &snapshot) => {
                Ok(Some(answer.map_err(ServerError::from)?))
            }
            _ => Err(Error::content_modified()),
        }
    }
}
