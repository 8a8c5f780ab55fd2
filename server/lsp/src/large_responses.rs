//! Requests whose responses are too large for the framework, which builds a tree of JSON values of whatever it sends:
//! for the semantic tokens of a large file, a million numbers, its outline or the edits that format it, that costs more
//! than computing them.
//!
//! [`LargeResponses`] wraps the framework and answers these requests itself, as bytes. Everything else passes through, as
//! do these before `initialize` and after `shutdown`.

use std::sync::Arc;
use std::task::{Context, Poll};

use attractor_proto::REQUESTS;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use lsp_types::request::{
    DocumentSymbolRequest, Formatting, Request as _, SemanticTokensFullRequest,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower::Service;
use tower_lsp::jsonrpc::{Error, Id, Request, Response, Result};

use crate::request::answer_json;
use crate::session::Session;
use crate::transport;

/// A service that answers some requests itself.
#[derive(Clone)]
pub(crate) struct LargeResponses<S> {
    inner: S,
    session: Arc<Session>,
}

impl<S> LargeResponses<S> {
    /// Wraps `inner`.
    pub(crate) fn new(inner: S, session: Arc<Session>) -> Self {
        Self { inner, session }
    }
}

impl<S> Service<Request> for LargeResponses<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Option<Response>;
    type Error = S::Error;
    type Future = BoxFuture<'static, std::result::Result<Self::Response, Self::Error>>;

    fn poll_ready(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<std::result::Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let is_mine = REQUESTS
            .iter()
            .any(|row| row.is_large && row.method == request.method());
        if !is_mine || request.id().is_none() || !self.session.is_serving() {
            return self.inner.call(request).boxed();
        }
        let session = Arc::clone(&self.session);
        let (method, id, params) = request.into_parts();
        let id = id.unwrap_or_default();
        let params = params.unwrap_or_default();
        async move { Ok(answer(&session, &method, id, params).await) }.boxed()
    }
}

/// Sends the response; an error is left to the framework.
async fn answer(session: &Arc<Session>, method: &str, id: Id, params: Value) -> Option<Response> {
    match result(session, method, params).await {
        Ok(result) => {
            let frame = transport::response(&id, &result);
            session.notifier.frames.send(frame).await;
            None
        }
        Err(error) => Some(Response::from_error(id, error)),
    }
}

async fn result(session: &Arc<Session>, method: &str, params: Value) -> Result<Vec<u8>> {
    match method {
        DocumentSymbolRequest::METHOD => {
            answer_json::<DocumentSymbolRequest>(session, parse(params)?).await
        }
        Formatting::METHOD => answer_json::<Formatting>(session, parse(params)?).await,
        SemanticTokensFullRequest::METHOD => {
            answer_json::<SemanticTokensFullRequest>(session, parse(params)?).await
        }
        _ => Err(Error::method_not_found()),
    }
}

fn parse<P: DeserializeOwned>(params: Value) -> Result<P> {
    serde_json::from_value(params).map_err(|problem| Error::invalid_params(problem.to_string()))
}
