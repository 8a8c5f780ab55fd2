//! What an adapter does for HTTP: requests and answers of one provider, without IO.

use attractor_models::ResolvedModel;
use secrecy::SecretString;
use serde_json::Value;

use super::headers::Headers;
use crate::error::Error;
use crate::event::StreamEvent;
use crate::request::Request;
use crate::response::{RateLimit, Response, Warning};
use crate::sse::ServerSentEvent;

/// A request with all an adapter needs to know about its model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) request: &'a Request,
    pub(crate) model: &'a ResolvedModel,
    pub(crate) streaming: bool,
}

/// A provider's API: requests and answers between this crate's types and JSON, without IO.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// The header that carries the key.
    fn authorization(&self, key: &SecretString) -> (&'static str, String);

    /// The HTTP request of a call.
    fn encode(&self, call: &Call<'_>) -> Result<HttpRequest, Error>;

    /// The answer to a call that does not stream.
    fn decode(&self, call: &Call<'_>, body: &Value) -> Result<Response, Error>;

    /// What reads the events of a streaming call.
    fn decoder(&self, call: &Call<'_>) -> Box<dyn StreamDecoder>;

    /// The error of an HTTP answer that is one.
    fn decode_error(&self, status: u16, body: &Value) -> Error;

    /// What an answer's headers say of rate limits.
    fn rate_limit(&self, headers: &Headers) -> Option<RateLimit>;

    /// The path of the list of models, and the headers it needs besides authorization.
    fn models(&self) -> (&'static str, Vec<(&'static str, String)>) {
        ("/models", Vec::new())
    }

    /// The request without what an error refused, where it can do without it.
    fn without_refused(&self, _request: &Request, _error: &Error) -> Option<Request> {
        None
    }

    /// Whether a call must stream, because the provider would not hold its connection long enough.
    fn must_stream(&self, _call: &Call<'_>) -> bool {
        false
    }
}

/// Reads the events of one streaming call.
pub(crate) trait StreamDecoder: Send {
    /// Takes one event; `Done` after the last one of the answer.
    fn event(
        &mut self,
        event: &ServerSentEvent,
        out: &mut Vec<StreamEvent>,
    ) -> Result<Progress, Error>;

    /// The connection ended.
    fn end(&mut self, out: &mut Vec<StreamEvent>) -> Result<(), Error>;
}

/// An HTTP request of a [`Protocol`]: a POST of JSON.
#[derive(Debug, Default)]
pub(crate) struct HttpRequest {
    /// What follows the base URL.
    pub(crate) path: String,
    /// Headers besides authorization and content type.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The body.
    pub(crate) body: Value,
    /// What of the call could not be expressed.
    pub(crate) warnings: Vec<Warning>,
}

/// Whether a stream continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More events are to come.
    More,
    /// The answer is complete.
    Done,
}
