//! Who may ask: the checks before any path is looked at.
//!
//! A page of another site that is open in the person's browser must not reach the server: its requests carry a foreign
//! `Origin`, or, after DNS rebinding, a `Host` that is not the server's. Neither passes. There are no CORS headers.
//! Callers have the token, or a cookie: see [`crate::session`].

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use tokio::time::timeout;

use crate::body::LARGEST;
use crate::connections::LARGEST_HEAD;
use crate::error::ApiError;
use crate::limits::Limiter;
use crate::session::Sessions;
use crate::token::Token;

/// The longest message of a refusal by the framework, in bytes.
const LARGEST_MESSAGE: usize = 10_000;

/// The path that logs the page in.
const LOGIN: &str = "/session";

/// The largest body of someone who need not have a token, in bytes.
const LARGEST_LOGIN: usize = 4 * 1024;

/// How long a client may take to send a body.
const BODY: Duration = Duration::from_secs(30);

/// The paths without a token: they show nothing of runs.
const OPEN: [&str; 3] = ["/", "/healthz", LOGIN];

/// The files of the page are open, too.
const PAGE: &str = "/page/";

/// What requests are checked against.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub(crate) token: Token,
    pub(crate) sessions: Sessions,
    pub(crate) limiter: Limiter,
    /// The `Host` values of the server: names with its port.
    hosts: BTreeSet<String>,
}

impl Guard {
    /// A server at `address`, which is also reached under the names in `hosts`.
    pub(crate) fn new(
        token: Token,
        address: SocketAddr,
        hosts: &[String],
        limiter: Limiter,
    ) -> Self {
        let port = address.port();
        let own = [
            address.to_string(),
            format!("localhost:{port}"),
            format!("127.0.0.1:{port}"),
            format!("[::1]:{port}"),
        ];
        let named = hosts.iter().flat_map(|host| {
            let with_port = format!("{host}:{port}");
            [host.to_ascii_lowercase(), with_port.to_ascii_lowercase()]
        });
        Self {
            sessions: Sessions::new(&token, port),
            token,
            limiter,
            hosts: own.into_iter().chain(named).collect(),
        }
    }

    fn check(&self, method: &Method, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
        check_size(headers)?;
        check_framing(headers)?;
        self.check_site(headers)?;
        if !(OPEN.contains(&path) || path.starts_with(PAGE)) {
            let checked = self.check_caller(method, headers);
            checked.map_err(|error| self.limiter.refuse(error))?;
        }
        self.limiter.accept()
    }

    /// Refuses what another site sends.
    fn check_site(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let host = text(headers, &header::HOST).unwrap_or_default();
        if !self.hosts.contains(&host.to_ascii_lowercase()) {
            return Err(forbidden(
                "foreign_host",
                "the `Host` of the request is not a name of this server; add it with `--allow-host`",
            ));
        }
        let Some(origin) = text(headers, &header::ORIGIN) else {
            return Ok(());
        };
        let name = origin.split_once("://").map_or(origin, |(_, name)| name);
        if self.hosts.contains(&name.to_ascii_lowercase()) {
            return Ok(());
        }
        Err(forbidden(
            "foreign_origin",
            "requests of other sites are refused",
        ))
    }

    /// Accepts the token, or the cookie of a session.
    fn check_caller(&self, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
        let token = text(headers, &header::AUTHORIZATION)
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        if token.is_some_and(|(_, token)| self.token.is(token.trim())) {
            return Ok(());
        }
        let cookies = text(headers, &header::COOKIE).unwrap_or_default();
        if token.is_none() && self.sessions.has(cookies) {
            return check_cookie_use(method, headers);
        }
        Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "the request needs the token that `attractor serve` printed: `Authorization: Bearer TOKEN`",
        ))
    }
}

/// Refuses a head that is longer than the documentation says; the server's buffer may have been larger.
fn check_size(headers: &HeaderMap) -> Result<(), ApiError> {
    let fields = headers.iter();
    let length: usize = fields
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len())
        .sum();
    if length > LARGEST_HEAD {
        return Err(ApiError::new(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers_too_large",
            format!("the fields of the head are longer than {LARGEST_HEAD} bytes"),
        ));
    }
    Ok(())
}

/// Refuses a request that a proxy in front of the server could read in another way: with several `Host`, or with a body
/// whose length is not in its head. (With both forms of a length the HTTP library may keep only one.)
fn check_framing(headers: &HeaderMap) -> Result<(), ApiError> {
    if headers.get_all(header::HOST).iter().count() > 1 {
        return Err(ApiError::bad_request(
            "several `Host` fields in one request",
        ));
    }
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(ApiError::new(
            StatusCode::LENGTH_REQUIRED,
            "length_required",
            "bodies need `Content-Length`; `Transfer-Encoding` is not accepted",
        ));
    }
    Ok(())
}

/// A browser sends the cookie by itself, so its request has to say that a page of this server made it. Pages on other
/// ports of the same host are the same site to `SameSite`, but another origin.
fn check_cookie_use(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let site = headers.get("sec-fetch-site");
    let is_own = site.is_none_or(|site| site == "same-origin" || site == "none");
    let changes = !matches!(*method, Method::GET | Method::HEAD);
    if !is_own || (changes && !headers.contains_key(header::ORIGIN)) {
        return Err(forbidden(
            "foreign_origin",
            "cookie requests must come from the page's origin",
        ));
    }
    Ok(())
}

fn forbidden(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, code, message)
}

/// Lets a request pass, or refuses it.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let checked = guard.check(request.method(), path, request.headers());
    let most = if path == LOGIN {
        LARGEST_LOGIN
    } else {
        LARGEST
    };
    let is_framed = check_framing(request.headers()).is_ok();
    let checked = match checked {
        Ok(()) => with_body(request, most).await,
        Err(error) => Err(error),
    };
    let mut response = match checked {
        Ok(request) => in_one_shape(next.run(request).await).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    if !is_framed {
        // What follows in the connection may be the body of this request, or another one.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ];
    for (name, value) in fixed {
        // The page has a policy of its own, and its files may be kept.
        let value = HeaderValue::from_static(value);
        headers.entry(name).or_insert(value);
    }
    response
}

/// The request with its whole body, which has to come in time.
async fn with_body(request: Request, most: usize) -> Result<Request, ApiError> {
    let (parts, body) = request.into_parts();
    let mut chunks = body.into_data_stream();
    let read = async {
        let mut content = Vec::new();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk
                .map_err(|_| ApiError::bad_request("the body of the request ends too early"))?;
            if content.len() + chunk.len() > most {
                return Err(ApiError::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "payload_too_large",
                    format!("the body is larger than {most} bytes"),
                ));
            }
            content.extend_from_slice(&chunk);
        }
        Ok(content)
    };
    match timeout(BODY, read).await {
        Ok(content) => Ok(Request::from_parts(parts, Body::from(content?))),
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "the body of the request did not come in time",
        )),
    }
}

/// A refusal of the framework, in the shape of all errors: a query that cannot be read, a path that does not fit.
async fn in_one_shape(response: Response) -> Response {
    let status = response.status();
    let is_json = text(response.headers(), &header::CONTENT_TYPE)
        .is_some_and(|kind| kind.starts_with("application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let allowed = response.headers().get(header::ALLOW).cloned();
    let message = to_bytes(response.into_body(), LARGEST_MESSAGE).await;
    let message = message.unwrap_or_default();
    let message = String::from_utf8_lossy(&message);
    let message = match message.split_once(": ") {
        Some(("Failed to deserialize query string", reason)) => {
            format!("invalid query: {reason}")
        }
        _ => message.into_owned(),
    };
    let code = match status {
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        _ => "bad_request",
    };
    let mut refusal = ApiError::new(status, code, message).into_response();
    if let Some(allowed) = allowed {
        refusal.headers_mut().insert(header::ALLOW, allowed);
    }
    refusal
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
