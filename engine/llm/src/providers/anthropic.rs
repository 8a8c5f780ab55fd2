//! The Anthropic Messages API.

mod decode;
mod encode;
mod options;
mod stream;
#[cfg(test)]
mod tests;
mod wire;

use std::sync::Arc;

pub use super::ids::ANTHROPIC as PROVIDER;
pub use options::AnthropicOptions;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::adapter::ProviderAdapter;
use crate::error::Error;
use crate::http::{
    Call, Endpoint, Headers, HttpAdapter, HttpOptions, HttpRequest, Protocol, StreamDecoder,
};
use crate::response::{RateLimit, Response};

/// An adapter for the Messages API.
pub fn adapter(
    endpoint: Endpoint,
    options: AnthropicOptions,
    http: HttpOptions,
) -> Result<Arc<dyn ProviderAdapter>, Error> {
    Ok(Arc::new(HttpAdapter::new(
        PROVIDER,
        Anthropic { options },
        endpoint,
        http,
    )?))
}

/// The protocol.
#[derive(Debug, Clone, Default)]
pub(crate) struct Anthropic {
    options: AnthropicOptions,
}

impl Protocol for Anthropic {
    fn authorization(&self, key: &SecretString) -> (&'static str, String) {
        ("x-api-key", key.expose_secret().to_owned())
    }

    fn encode(&self, call: &Call<'_>) -> Result<HttpRequest, Error> {
        encode::request(call, &self.options)
    }

    fn decode(&self, call: &Call<'_>, body: &Value) -> Result<Response, Error> {
        decode::response(&call.model.id, body)
    }

    fn decoder(&self, call: &Call<'_>) -> Box<dyn StreamDecoder> {
        Box::new(stream::Decoder::new(&call.model.id))
    }

    fn decode_error(&self, status: u16, body: &Value) -> Error {
        decode::error(Some(status), body)
    }

    fn rate_limit(&self, headers: &Headers) -> Option<RateLimit> {
        let quota = |family: &str| {
            let name = |field: &str| format!("anthropic-ratelimit-{family}-{field}");
            headers.quota(&name("limit"), &name("remaining"), &name("reset"))
        };
        let limit = RateLimit {
            requests: quota("requests"),
            tokens: quota("tokens"),
            input_tokens: quota("input-tokens"),
            output_tokens: quota("output-tokens"),
        };
        (limit != RateLimit::default()).then_some(limit)
    }

    fn models(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let version = ("anthropic-version", self.options.version.clone());
        ("/v1/models", vec![version])
    }

    /// The official clients refuse to wait for an answer that may take more than ten minutes, at 128,000 tokens an hour.
    fn must_stream(&self, call: &Call<'_>) -> bool {
        const TOKENS_IN_TEN_MINUTES: u64 = 128_000 / 6;
        encode::max_tokens(call) > TOKENS_IN_TEN_MINUTES
    }
}
