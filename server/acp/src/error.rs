//! Errors as a client gets them.

use agent_client_protocol::{Error, ErrorCode};

/// A request that cannot be followed.
pub(crate) fn invalid(reason: impl Into<String>) -> Error {
    Error::new(ErrorCode::INVALID_PARAMS, reason)
}

/// Work that failed.
pub(crate) fn failed(reason: impl Into<String>) -> Error {
    Error::new(ErrorCode::INTERNAL_ERROR, reason)
}
