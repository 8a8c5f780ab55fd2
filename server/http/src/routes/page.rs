//! The web page: its files, which are part of the program.

use std::path::Component;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::error::ApiError;

/// The files of the page, as its package builds them.
#[derive(RustEmbed)]
#[folder = "page/dist/"]
struct Files;

/// What the page may load: its own files, and WebAssembly from them. No inline scripts, no other host.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// `GET /`: the page.
pub(crate) async fn index(headers: HeaderMap) -> Result<Response, ApiError> {
    file("index.html", &headers)
}

/// `GET /page/{file}`: a file that the page loads.
pub(crate) async fn asset(
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    file(&path, &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let unknown = || ApiError::not_found("file", path);
    // A debug build reads the files from their folder.
    let mut parts = std::path::Path::new(path).components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return Err(unknown());
    }
    let kind = media_type(path).ok_or_else(unknown)?;
    let file = Files::get(path).ok_or_else(unknown)?;
    // Files keep their names from one version to the next, so a browser asks whether its copy is current.
    let tag = attractor_exec::sha256(&file.data);
    let tag = format!("\"{tag}\"");
    let fixed = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::CONTENT_SECURITY_POLICY, POLICY.to_owned()),
    ];
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag)) {
        return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    let body = file.data.into_owned();
    Ok((fixed, [(header::CONTENT_TYPE, kind)], body).into_response())
}

/// The media type of a file by its name; only these are served.
fn media_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}
