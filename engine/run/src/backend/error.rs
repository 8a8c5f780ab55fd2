//! Why a backend has no answer.

use std::time::Duration;

use attractor_machine::outcome::{FailureClass, Usage};

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct BackendError {
    /// For people: what happened and what to do.
    pub message: String,
    /// Decides about retries.
    pub class: FailureClass,
    /// The provider that failed.
    pub provider: Option<String>,
    /// The model that was called.
    pub model: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The kind of error in the backend's own terms: `rate_limit`, `authentication`.
    pub category: Option<String>,
    /// How long the provider asks to wait before another attempt.
    pub retry_after: Option<Duration>,
    /// What was spent before it failed.
    pub usage: Usage,
}

impl BackendError {
    /// An error that no provider is involved in.
    pub fn new(class: FailureClass, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            class,
            provider: None,
            model: None,
            status: None,
            category: None,
            retry_after: None,
            usage: Usage::default(),
        }
    }
}
