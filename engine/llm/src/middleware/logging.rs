//! Logs calls: model, sizes, time, tokens. Never their content, and never a key.

use async_trait::async_trait;
use tracing::info;

use super::observe::{StreamEnd, observe};
use super::{Middleware, Next};
use crate::error::Error;
use crate::event::EventStream;
use crate::redact::Redactor;
use crate::request::Request;
use crate::response::Response;

/// Logs each call with `tracing`: a line before it, and one after it, at level `info`.
#[derive(Debug, Clone, Default)]
pub struct LoggingMiddleware {
    redactor: Redactor,
}

impl LoggingMiddleware {
    /// Logging that also masks these secrets.
    pub const fn new(redactor: Redactor) -> Self {
        Self { redactor }
    }

    fn request(request: &Request) {
        info!(model = %request.model, messages = request.messages.len(), tools = request.tools.len(), "calling a model");
    }

    fn response(&self, response: &Response) {
        let usage = &response.usage;
        info!(
            model = %response.model,
            finish = %response.finish.reason,
            input_tokens = usage.input_tokens,
            output_tokens = usage.output_tokens,
            cache_read_tokens = usage.cache_read_tokens,
            estimated = usage.estimated,
            latency_ms = response.latency_ms,
            "the model answered"
        );
        for warning in &response.warnings {
            info!(code = %warning.code, message = %self.redactor.text(&warning.message), "the call was changed");
        }
    }

    fn error(&self, error: &Error) {
        info!(kind = %error.kind(), message = %self.redactor.text(&error.to_string()), "the call failed");
    }
}

#[async_trait]
impl Middleware for LoggingMiddleware {
    async fn complete(
        &self,
        request: Request,
        next: Next<'_, Response>,
    ) -> Result<Response, Error> {
        Self::request(&request);
        let result = next.complete(request).await;
        match &result {
            Ok(response) => self.response(response),
            Err(error) => self.error(error),
        }
        result
    }

    async fn stream(
        &self,
        request: Request,
        next: Next<'_, EventStream>,
    ) -> Result<EventStream, Error> {
        Self::request(&request);
        let (logging, estimate) = (self.clone(), request.estimated_tokens());
        match next.stream(request).await {
            Ok(stream) => Ok(observe(stream, estimate, move |response, end| match end {
                StreamEnd::Complete | StreamEnd::Dropped => logging.response(&response),
                StreamEnd::Failed(error) => logging.error(&error),
            })),
            Err(error) => {
                self.error(&error);
                Err(error)
            }
        }
    }
}
