//! Chat Completions, as Ollama, vLLM, llama.cpp, `OpenRouter` and many others serve it.

mod encode;
mod finish;
mod open_calls;
mod quirks;
mod reasoning_details;
mod stream;
#[cfg(test)]
mod tests;
mod think_tags;
mod wire;

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

pub use super::ids::OPENAI_COMPATIBLE as PROVIDER;
pub use quirks::{LimitField, Quirks};

use super::openai;
use crate::adapter::ProviderAdapter;
use crate::error::Error;
use crate::http::{
    Call, Endpoint, Headers, HttpAdapter, HttpOptions, HttpRequest, Protocol, StreamDecoder,
};
use crate::response::{RateLimit, Response};

/// An adapter for a server, under an id of its own such as `ollama`.
pub fn adapter(
    provider: &str,
    endpoint: Endpoint,
    quirks: Quirks,
    http: HttpOptions,
) -> Result<Arc<dyn ProviderAdapter>, Error> {
    let protocol = OpenAiCompatible {
        provider: provider.to_owned(),
        quirks,
    };
    Ok(Arc::new(HttpAdapter::new(
        provider, protocol, endpoint, http,
    )?))
}

/// The protocol.
#[derive(Debug, Clone)]
pub(crate) struct OpenAiCompatible {
    provider: String,
    quirks: Quirks,
}

impl Protocol for OpenAiCompatible {
    fn authorization(&self, key: &SecretString) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", key.expose_secret()))
    }

    fn encode(&self, call: &Call<'_>) -> Result<HttpRequest, Error> {
        encode::request(call, &self.provider, &self.quirks)
    }

    fn decode(&self, call: &Call<'_>, body: &Value) -> Result<Response, Error> {
        stream::response(call, &self.provider, body)
    }

    fn decoder(&self, call: &Call<'_>) -> Box<dyn StreamDecoder> {
        Box::new(stream::Decoder::new(call, &self.provider))
    }

    fn decode_error(&self, status: u16, body: &Value) -> Error {
        openai::decode_error(Some(status), body)
    }

    fn rate_limit(&self, headers: &Headers) -> Option<RateLimit> {
        openai::rate_limit(headers)
    }
}
