//! The session of the web page.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body::json as read;
use crate::error::ApiError;
use crate::guard::Guard;
use crate::session::LIFETIME;

/// The body of `POST /session`: one of both.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    /// The ticket of the address that the server printed.
    #[serde(default)]
    ticket: Option<String>,
    /// The token, where the ticket has been used.
    #[serde(default)]
    token: Option<String>,
}

type WithCookie<T> = (StatusCode, [(HeaderName, String); 1], T);

/// `POST /session`: a cookie for a ticket or for the token.
pub(crate) async fn log_in(
    State(guard): State<Guard>,
    body: Bytes,
) -> Result<WithCookie<Json<Value>>, ApiError> {
    let login: Login = read(&body)?;
    let is_allowed = match (login.ticket, login.token) {
        (Some(ticket), None) => guard.sessions.redeem(&ticket),
        (None, Some(token)) => guard.token.is(token.trim()),
        _ => return Err(ApiError::invalid("expected either `ticket` or `token`")),
    };
    if !is_allowed {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "the ticket is unknown or has been used, or the token is another one; \
             log in with the token that `attractor serve` printed",
        ));
    }
    let cookie = guard.sessions.start();
    let cookie = cookie.map_err(|error| ApiError::internal(error.to_string()))?;
    let lasts = json!({ "expires_in": LIFETIME.as_secs() });
    Ok((
        StatusCode::CREATED,
        [(header::SET_COOKIE, cookie)],
        Json(lasts),
    ))
}

/// `DELETE /session`: ends the session of the request.
pub(crate) async fn log_out(State(guard): State<Guard>, headers: HeaderMap) -> WithCookie<()> {
    let cookies = headers
        .get(header::COOKIE)
        .and_then(|cookies| cookies.to_str().ok());
    let cookie = guard.sessions.end(cookies.unwrap_or_default());
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)], ())
}
