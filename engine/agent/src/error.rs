//! Errors of the agent: each has a category, says whether another attempt may help, and carries details.

use serde::Serialize;
use serde_json::{Map, Value};

/// What kind of thing failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCategory {
    /// The model's answer: empty, malformed.
    Llm,
    /// The provider: rate limit, network, authentication.
    Provider,
    /// A tool: not found, timed out, failed.
    Tool,
    /// A limit on tokens, cost or time.
    Budget,
    /// A user or the system stopped it.
    Cancellation,
    /// The policy refused a tool.
    Permission,
    /// A setting is missing or invalid.
    Configuration,
    /// A defect of the agent.
    Internal,
}

impl ErrorCategory {
    /// Whether errors of this category may pass by themselves.
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::Llm | Self::Provider)
    }
}

/// Why a session or a tool failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct AgentError {
    /// What kind of thing failed.
    pub category: ErrorCategory,
    /// For people: what happened and what to do.
    pub message: String,
    /// Whether another attempt may help; by default as the category says.
    pub retryable: bool,
    /// Further facts by name: `provider`, `status_code`, `tool_name`, `limit`.
    pub details: Map<String, Value>,
}

impl AgentError {
    /// An error that is retryable as its category says.
    pub fn new(category: ErrorCategory, message: impl Into<String>) -> Self {
        Self {
            category,
            message: message.into(),
            retryable: category.is_retryable(),
            details: Map::new(),
        }
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }
}
