//! The Gemini API (`generateContent`).

mod decode;
mod encode;
mod open_call;
mod partial_arguments;
mod stream;
#[cfg(test)]
mod tests;
mod wire;

use std::sync::Arc;

pub use super::ids::GEMINI as PROVIDER;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::adapter::ProviderAdapter;
use crate::error::Error;
use crate::http::{
    Call, Endpoint, Headers, HttpAdapter, HttpOptions, HttpRequest, Protocol, StreamDecoder,
};
use crate::response::{RateLimit, Response};

/// An adapter for the Gemini API.
pub fn adapter(endpoint: Endpoint, http: HttpOptions) -> Result<Arc<dyn ProviderAdapter>, Error> {
    Ok(Arc::new(HttpAdapter::new(
        PROVIDER, Gemini, endpoint, http,
    )?))
}

/// The protocol.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Gemini;

impl Protocol for Gemini {
    /// A header, not the query: URLs end up in logs.
    fn authorization(&self, key: &SecretString) -> (&'static str, String) {
        ("x-goog-api-key", key.expose_secret().to_owned())
    }

    fn models(&self) -> (&'static str, Vec<(&'static str, String)>) {
        ("/v1beta/models", Vec::new())
    }

    fn encode(&self, call: &Call<'_>) -> Result<HttpRequest, Error> {
        encode::request(call)
    }

    fn decode(&self, call: &Call<'_>, body: &Value) -> Result<Response, Error> {
        stream::response(call, body)
    }

    fn decoder(&self, call: &Call<'_>) -> Box<dyn StreamDecoder> {
        Box::new(stream::Decoder::new(call))
    }

    fn decode_error(&self, status: u16, body: &Value) -> Error {
        decode::error(Some(status), body)
    }

    /// The API reports no limits in its headers.
    fn rate_limit(&self, _: &Headers) -> Option<RateLimit> {
        None
    }
}
