//! Bodies of requests.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The largest body, in bytes.
pub(crate) const LARGEST: usize = 4 * 1024 * 1024;

/// A body that is JSON, and says so: a page of another site cannot send it without being asked first. An empty one is
/// an empty object.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "expected a JSON body with `Content-Type: application/json`",
            ));
        }
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|error| ApiError::bad_request(error.to_string()))?;
        read(&body).map(Self)
    }
}

fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, ApiError> {
    let text: &[u8] = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "invalid",
            format!("invalid request body: {error}"),
        ),
        _ => ApiError::bad_request(format!("the body is not JSON: {error}")),
    })
}
