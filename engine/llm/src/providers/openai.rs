//! The `OpenAI` Responses API.

mod decode;
mod encode;
mod items;
mod options;
mod schema;
mod stream;
#[cfg(test)]
mod tests;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use super::ids::OPENAI as PROVIDER;
pub use options::OpenAiOptions;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::adapter::ProviderAdapter;
use crate::error::Error;
use crate::http::{
    Call, Endpoint, Headers, HttpAdapter, HttpOptions, HttpRequest, Protocol, StreamDecoder,
};
use crate::request::Request;
use crate::response::{RateLimit, Response};

pub(crate) use decode::error as decode_error;
pub(crate) use schema::strict as strict_schema;

/// An adapter for the Responses API.
pub fn adapter(
    endpoint: Endpoint,
    options: OpenAiOptions,
    http: HttpOptions,
) -> Result<Arc<dyn ProviderAdapter>, Error> {
    Ok(Arc::new(HttpAdapter::new(
        PROVIDER,
        OpenAi {
            options,
            ..OpenAi::default()
        },
        endpoint,
        http,
    )?))
}

/// The protocol.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenAi {
    options: OpenAiOptions,
    /// Whether the provider refuses to show reasoning: it does so to organisations that are not verified.
    hides_reasoning: Arc<AtomicBool>,
}

impl Protocol for OpenAi {
    fn authorization(&self, key: &SecretString) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", key.expose_secret()))
    }

    fn encode(&self, call: &Call<'_>) -> Result<HttpRequest, Error> {
        let summary = (!self.hides_reasoning.load(Ordering::Relaxed)).then_some("auto");
        encode::request(call, &self.options, summary)
    }

    fn decode(&self, call: &Call<'_>, body: &Value) -> Result<Response, Error> {
        decode::response(call, body)
    }

    fn decoder(&self, call: &Call<'_>) -> Box<dyn StreamDecoder> {
        Box::new(stream::Decoder::new(call))
    }

    fn decode_error(&self, status: u16, body: &Value) -> Error {
        decode::error(Some(status), body)
    }

    fn rate_limit(&self, headers: &Headers) -> Option<RateLimit> {
        rate_limit(headers)
    }

    fn without_refused(&self, request: &Request, error: &Error) -> Option<Request> {
        let data = error.data();
        let message = data.message.to_lowercase();
        let is_refused = data.status == Some(400)
            && ["reasoning.summary", "reasoning summar"]
                .iter()
                .any(|phrase| message.contains(phrase));
        if !is_refused || !request.show_reasoning {
            return None;
        }
        self.hides_reasoning.store(true, Ordering::Relaxed);
        Some(Request {
            show_reasoning: false,
            ..request.clone()
        })
    }
}

/// What `x-ratelimit-*` headers say; `reset` is a duration such as `6m0s`.
pub(crate) fn rate_limit(headers: &Headers) -> Option<RateLimit> {
    let quota = |family: &str| {
        let name = |field: &str| format!("x-ratelimit-{field}-{family}");
        headers.quota(&name("limit"), &name("remaining"), &name("reset"))
    };
    let limit = RateLimit {
        requests: quota("requests"),
        tokens: quota("tokens"),
        ..RateLimit::default()
    };
    (limit != RateLimit::default()).then_some(limit)
}
