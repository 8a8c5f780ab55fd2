//! Errors of the client as failures of a node.

use attractor_llm::{Client, Error, ErrorKind, Response};
use attractor_run::{BackendError, FailureClass, Usage};

use super::response::usage;

/// A node whose model cannot be called.
pub(super) fn unavailable(reason: String) -> BackendError {
    BackendError::new(FailureClass::Configuration, reason)
}

/// A call that failed; `partial` is what had arrived of the answer.
pub(super) fn backend_error(
    client: &Client,
    error: &Error,
    partial: Option<&Response>,
) -> BackendError {
    let data = error.data();
    BackendError {
        provider: data.provider.clone(),
        model: data.model.clone(),
        status: data.status,
        category: Some(data.kind.as_str().to_owned()),
        retry_after: data.retry_after,
        usage: partial.map_or_else(Usage::default, |partial| spent(client, partial)),
        ..BackendError::new(class(error), error.to_string())
    }
}

/// What an answer that broke off has used: nothing if the provider has not begun it.
pub(super) fn spent(client: &Client, partial: &Response) -> Usage {
    if partial.model.is_empty() {
        return Usage::default();
    }
    usage(client, &[], partial)
}

/// What kind of failure of a node an error is. The provider's own word decides whether a retry makes sense.
fn class(error: &Error) -> FailureClass {
    let class = match error.kind() {
        ErrorKind::Configuration
        | ErrorKind::NotFound
        | ErrorKind::InvalidResponse
        | ErrorKind::NotRecorded => FailureClass::Configuration,
        ErrorKind::Authentication => FailureClass::Authentication,
        ErrorKind::AccessDenied => FailureClass::Permission,
        ErrorKind::InvalidRequest
        | ErrorKind::ContextLength
        | ErrorKind::UnsupportedToolChoice
        | ErrorKind::InvalidToolCall => FailureClass::BadRequest,
        ErrorKind::ContentFilter | ErrorKind::NoObjectGenerated => FailureClass::Deterministic,
        ErrorKind::RateLimit
        | ErrorKind::Overloaded
        | ErrorKind::Server
        | ErrorKind::Timeout
        | ErrorKind::Network
        | ErrorKind::Stream => FailureClass::TransientInfra,
        ErrorKind::QuotaExceeded | ErrorKind::BudgetExceeded => FailureClass::BudgetExhausted,
        ErrorKind::Cancelled => FailureClass::Canceled,
        _ => FailureClass::Internal,
    };
    match (class, error.is_retryable()) {
        (FailureClass::TransientInfra, false) => FailureClass::BadRequest,
        (class, true) if class.is_final() => FailureClass::TransientInfra,
        (class, _) => class,
    }
}
