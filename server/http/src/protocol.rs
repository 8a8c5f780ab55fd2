//! The version of the messages a client asks for: the header `Attractor-Protocol`.

use attractor_run::Protocol;
use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::error::ApiError;

/// The header that names a version.
const HEADER: &str = "attractor-protocol";

/// The version that the client of a request asks for; the latest without the header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientProtocol(pub(crate) Protocol);

impl ClientProtocol {
    /// An answer in the words of that version.
    pub(crate) fn answer<T: Serialize>(self, body: T) -> Result<Response, ApiError> {
        if self.0 == Protocol::default() {
            return Ok(Json(body).into_response());
        }
        let body = serde_json::to_value(body)
            .map_err(|error| ApiError::internal(format!("cannot write the answer: {error}")))?;
        Ok(Json(self.0.translated(body)).into_response())
    }
}

impl<S: Sync> FromRequestParts<S> for ClientProtocol {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Some(asked) = parts.headers.get(HEADER) else {
            return Ok(Self(Protocol::default()));
        };
        let number = asked.to_str().ok().and_then(|text| text.parse().ok());
        let version = number.and_then(Protocol::from_number);
        version.map(Self).ok_or_else(|| {
            let asked = String::from_utf8_lossy(asked.as_bytes());
            ApiError::bad_request(format!(
                "unknown version in `Attractor-Protocol: {asked}`; expected 1 or 2"
            ))
        })
    }
}
