//! Calls another model while the one asked for is not available.

use futures::StreamExt;

use super::Client;
use crate::error::Error;
use crate::event::{EventStream, StreamEvent};
use crate::request::Request;
use crate::response::{Response, Warning};

/// The code of the warning on a response that another model gave.
const CODE: &str = "fallback_model";

impl Client {
    pub(super) async fn complete_or_fall_back(&self, request: Request) -> Result<Response, Error> {
        let mut warnings = Vec::new();
        let mut request = request;
        loop {
            match self.complete_with_retries(&request).await {
                Ok(mut response) => {
                    response.warnings.splice(0..0, warnings);
                    return Ok(response);
                }
                Err(error) => request = next(request, error, &mut warnings)?,
            }
        }
    }

    pub(super) async fn stream_or_fall_back(&self, request: Request) -> Result<EventStream, Error> {
        let mut passed = Vec::new();
        let mut request = request;
        loop {
            match self.stream_with_retries(&request).await {
                Ok(stream) if passed.is_empty() => return Ok(stream),
                Ok(stream) => return Ok(announce(stream, passed)),
                Err(error) => request = next(request, error, &mut passed)?,
            }
        }
    }
}

/// The request for the next model; the error if there is none, or if another model would fail alike. Reasoning is left
/// out: it is valid only for the model that produced it.
fn next(mut request: Request, error: Error, warnings: &mut Vec<Warning>) -> Result<Request, Error> {
    if !error.is_availability() || request.fallback_models.is_empty() {
        return Err(error);
    }
    let model = request.fallback_models.remove(0);
    let message = format!(
        "`{model}` instead of `{}`, which is not available: {error}",
        request.model
    );
    tracing::warn!(from = %request.model, to = %model, kind = %error.kind(), "calling a fallback model");
    warnings.push(Warning::new(CODE, message));
    request.model = model;
    request.provider = None;
    for message in &mut request.messages {
        *message = message.without_thinking();
    }
    Ok(request)
}

/// Puts the warnings into the event that begins the stream.
fn announce(stream: EventStream, passed: Vec<Warning>) -> EventStream {
    let mut passed = Some(passed);
    let announce = move |mut item: Result<StreamEvent, Error>| {
        if let Ok(StreamEvent::StreamStart { warnings, .. }) = &mut item {
            warnings.splice(0..0, passed.take().unwrap_or_default());
        }
        item
    };
    stream.map(announce).boxed()
}
