//! Middleware: what happens around every call, as layers of an onion. Each layer is given the request and the rest of
//! the layers; it may change the request, answer by itself, look at the answer, or call the rest again.

mod cache;
mod cache_watch;
mod cassette;
mod hooks;
mod logging;
mod normalise;
mod observe;
mod retry;
mod tokens;

use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;

pub use cache::CacheMiddleware;
pub use cache_watch::CacheWatchMiddleware;
pub use cassette::Cassette;
pub use hooks::{HookMiddleware, RequestHooks};
pub use logging::LoggingMiddleware;
pub use normalise::Normaliser;
pub use retry::RetryMiddleware;
pub use tokens::{TokenTotals, TokenTrackingMiddleware};

use crate::error::Error;
use crate::event::EventStream;
use crate::request::Request;
use crate::response::Response;

/// A layer around calls. Both methods pass the call on unless they are overridden.
#[async_trait]
pub trait Middleware: Send + Sync {
    /// Around a call that waits for the whole answer.
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        next.complete(request).await
    }

    /// Around a call that streams. What concerns the answer is done to the stream.
    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        next.stream(request).await
    }
}

/// What calls the provider in the end.
pub(crate) type Last<'a, T> =
    &'a (dyn Fn(Request) -> BoxFuture<'a, Result<T, Error>> + Send + Sync);

/// The layers inside of a layer, and the call itself.
#[derive(Clone, Copy)]
pub struct Next<'a, T> {
    layers: &'a [Arc<dyn Middleware>],
    last: Last<'a, T>,
}

impl<'a> Next<'a, Response> {
    pub(crate) const fn complete_with(
        layers: &'a [Arc<dyn Middleware>],
        last: Last<'a, Response>,
    ) -> Self {
        Self { layers, last }
    }

    /// Calls the rest of the layers.
    pub async fn complete(self, request: Request) -> Result<Response, Error> {
        match self.layers.split_first() {
            Some((layer, layers)) => {
                layer
                    .complete(
                        request,
                        Next {
                            layers,
                            last: self.last,
                        },
                    )
                    .await
            }
            None => (self.last)(request).await,
        }
    }
}

impl<'a> Next<'a, EventStream> {
    pub(crate) const fn stream_with(
        layers: &'a [Arc<dyn Middleware>],
        last: Last<'a, EventStream>,
    ) -> Self {
        Self { layers, last }
    }

    /// Calls the rest of the layers.
    pub async fn stream(self, request: Request) -> Result<EventStream, Error> {
        match self.layers.split_first() {
            Some((layer, layers)) => {
                layer
                    .stream(
                        request,
                        Next {
                            layers,
                            last: self.last,
                        },
                    )
                    .await
            }
            None => (self.last)(request).await,
        }
    }
}
