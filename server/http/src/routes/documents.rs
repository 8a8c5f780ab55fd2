//! The description of the paths for programs.

use axum::http::{HeaderName, header};

/// Generated from the types; see `openapi.rs`.
const OPENAPI: &str = include_str!("../../reference/openapi.json");

/// `GET /openapi.json`
pub(crate) async fn openapi() -> ([(HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
