//! The session of the web page.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use serde::{Deserialize, Serialize};

use crate::body::JsonBody;
use crate::error::ApiError;
use crate::guard::Guard;
use crate::session::LIFETIME;

/// The body of `POST /session`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected either `ticket` or `token`")]
pub(crate) enum Login {
    /// The ticket of the address that the server printed.
    Ticket(ByTicket),
    /// The token, where the ticket has been used.
    Token(ByToken),
}

/// By a ticket.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ByTicket {
    ticket: String,
}

/// By the token.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ByToken {
    token: String,
}

/// A session that has begun.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewSession {
    /// How many seconds it lasts.
    expires_in: u64,
}

type WithCookie<T> = (StatusCode, [(HeaderName, String); 1], T);

/// `POST /session`: a cookie for a ticket or for the token.
pub(crate) async fn log_in(
    State(guard): State<Guard>,
    JsonBody(login): JsonBody<Login>,
) -> Result<WithCookie<Json<NewSession>>, ApiError> {
    let is_allowed = match login {
        Login::Ticket(ByTicket { ticket }) => guard.sessions.redeem(&ticket),
        Login::Token(ByToken { token }) => guard.token.is(token.trim()),
    };
    if !is_allowed {
        return Err(guard.limiter.refuse(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "the ticket is unknown or has been used, or the token is another one; \
             log in with the token that `attractor serve` printed",
        )));
    }
    let cookie = guard.sessions.start();
    let cookie = cookie.map_err(|error| ApiError::internal(error.to_string()))?;
    let expires_in = LIFETIME.as_secs();
    Ok((
        StatusCode::CREATED,
        [(header::SET_COOKIE, cookie)],
        Json(NewSession { expires_in }),
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
