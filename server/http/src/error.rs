//! Why a request is refused: one shape for all.

use attractor::Error;
use attractor_run::RunError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// Why a request is refused.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// Further fields of the answer, next to `error`.
    fields: Box<Map<String, Value>>,
    /// When to try again, in seconds.
    retry_after: Option<u64>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            fields: Box::default(),
            retry_after: None,
        }
    }

    /// Adds a field next to `error`.
    pub(crate) fn with(mut self, name: &str, value: Value) -> Self {
        self.fields.insert(name.to_owned(), value);
        self
    }

    /// Adds when to try again, in seconds.
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// What the caller reads.
    pub(crate) fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert(
            "error".to_owned(),
            json!({ "code": self.code, "message": self.message }),
        );
        body.extend(
            self.fields
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        Value::Object(body)
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn not_found(what: &str, name: &str) -> Self {
        let message = format!("there is no {what} `{name}`");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message)
    }

    /// Why a run cannot be continued or forked, with what to do on a server.
    pub(crate) fn of_launch(error: &Error) -> Self {
        Self::conflict(match error {
            Error::Run(RunError::MissingSecrets { variables, .. }) => {
                let variables = variables.join(", ");
                format!("{error}; set {variables} in the environment of the server")
            }
            Error::Run(RunError::NotSigned { run }) => {
                format!("{error}; continue it with `attractor resume {run} --accept-foreign`")
            }
            Error::Run(RunError::Changed { .. }) => {
                format!("{error}\nrestore the file, or start a new run")
            }
            _ => error.to_string(),
        })
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        if let Some(seconds) = self.retry_after {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<RunError> for ApiError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::UnknownRun { run, .. } => Self::not_found("run", &run),
            RunError::NoFileChanges { .. } => {
                Self::new(StatusCode::NOT_FOUND, "not_found", error.to_string())
            }
            RunError::VisitIsOpen { .. } => Self::conflict(error.to_string()),
            error => Self::internal(error.to_string()),
        }
    }
}
