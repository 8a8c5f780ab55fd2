//! Two functions around a call, for what needs no more.

use async_trait::async_trait;

use super::{Middleware, Next};
use crate::error::Error;
use crate::event::EventStream;
use crate::request::Request;
use crate::response::Response;

/// What is done before and after a call. Of several, `before_request` runs in the order of registration and
/// `after_response` in the reverse order. A stream is given `before_request` only.
#[async_trait]
pub trait RequestHooks: Send + Sync {
    /// Looks at the request or changes it.
    async fn before_request(&self, request: Request) -> Result<Request, Error> {
        Ok(request)
    }

    /// Looks at the response or changes it.
    async fn after_response(&self, response: Response) -> Result<Response, Error> {
        Ok(response)
    }
}

/// Hooks as a layer.
#[derive(Debug, Clone, Copy)]
pub struct HookMiddleware<H>(pub H);

#[async_trait]
impl<H: RequestHooks> Middleware for HookMiddleware<H> {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        let request = self.0.before_request(request).await?;
        let response = next.complete(request).await?;
        self.0.after_response(response).await
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        let request = self.0.before_request(request).await?;
        next.stream(request).await
    }
}
