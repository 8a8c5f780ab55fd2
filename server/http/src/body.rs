//! Bodies of requests.

use axum::body::Bytes;
use axum::http::StatusCode;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The largest body, in bytes.
pub(crate) const LARGEST: usize = 4 * 1024 * 1024;

/// Reads a body. An empty one is an empty object.
pub(crate) fn json<T: DeserializeOwned>(body: &Bytes) -> Result<T, ApiError> {
    let text: &[u8] = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            format!("the body does not fit: {error}"),
        ),
        _ => ApiError::bad_request(format!("the body is not JSON: {error}")),
    })
}
