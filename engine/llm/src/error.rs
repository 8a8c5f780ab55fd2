//! What can go wrong, with provider, status and what to do. All wording is here.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An error of a call.
#[derive(Debug, Clone)]
pub struct Error(Box<ErrorData>);

/// What an error holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorData {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What happened, in the provider's words where it sent any. Never contains a key.
    pub message: String,
    /// The provider.
    pub provider: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The provider's code for the error.
    pub code: Option<String>,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
    /// When the provider is available again, by the clock of this machine.
    pub available_at: Option<Timestamp>,
    /// Whether the provider itself says that a retry makes sense.
    pub should_retry: Option<bool>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// The body of the error.
    pub raw: Option<Value>,
}

/// What kind of error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// No provider, no key, or a setting that cannot work.
    Configuration,
    /// The key is missing or wrong.
    Authentication,
    /// The key may not do this.
    AccessDenied,
    /// The model or the endpoint does not exist.
    NotFound,
    /// The provider rejects the request as it is.
    InvalidRequest,
    /// The request is longer than the model's context window.
    ContextLength,
    /// `tool_choice` asks for what cannot be.
    UnsupportedToolChoice,
    /// The provider blocked the content.
    ContentFilter,
    /// Too many requests or tokens in a period.
    RateLimit,
    /// No credit or no quota left; waiting does not help.
    QuotaExceeded,
    /// The provider is overloaded.
    Overloaded,
    /// The provider failed.
    Server,
    /// No answer in time.
    Timeout,
    /// The connection failed.
    Network,
    /// A stream broke off, stalled, or cannot be read.
    Stream,
    /// An answer that is not the provider's API, such as an HTML page.
    InvalidResponse,
    /// A tool call that cannot be executed.
    InvalidToolCall,
    /// The answer is not JSON that fits the schema.
    NoObjectGenerated,
    /// A budget is used up.
    BudgetExceeded,
    /// A recording has no answer to the request.
    NotRecorded,
    /// The caller cancelled the call.
    Cancelled,
}

impl ErrorKind {
    /// The word of its JSON form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Authentication => "authentication",
            Self::AccessDenied => "access_denied",
            Self::NotFound => "not_found",
            Self::InvalidRequest => "invalid_request",
            Self::ContextLength => "context_length",
            Self::UnsupportedToolChoice => "unsupported_tool_choice",
            Self::ContentFilter => "content_filter",
            Self::RateLimit => "rate_limit",
            Self::QuotaExceeded => "quota_exceeded",
            Self::Overloaded => "overloaded",
            Self::Server => "server",
            Self::Timeout => "timeout",
            Self::Network => "network",
            Self::Stream => "stream",
            Self::InvalidResponse => "invalid_response",
            Self::InvalidToolCall => "invalid_tool_call",
            Self::NoObjectGenerated => "no_object_generated",
            Self::BudgetExceeded => "budget_exceeded",
            Self::NotRecorded => "not_recorded",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether the same request may succeed a little later.
    pub const fn is_transient(self) -> bool {
        matches!(
            self,
            Self::RateLimit
                | Self::Overloaded
                | Self::Server
                | Self::Timeout
                | Self::Network
                | Self::Stream
        )
    }

    /// Whether another model may be available while this one is not.
    pub const fn is_availability(self) -> bool {
        self.is_transient() || matches!(self, Self::QuotaExceeded | Self::NotFound)
    }

    /// The kind of an HTTP status, if the body does not say more.
    pub const fn of_status(status: u16) -> Self {
        match status {
            401 => Self::Authentication,
            402 => Self::QuotaExceeded,
            403 => Self::AccessDenied,
            404 => Self::NotFound,
            408 | 504 => Self::Timeout,
            413 => Self::ContextLength,
            429 => Self::RateLimit,
            // A conflict of two requests: the official clients retry it as they retry a failure.
            409 | 500..=502 | 505..=528 | 530..=599 => Self::Server,
            503 | 529 => Self::Overloaded,
            _ => Self::InvalidRequest,
        }
    }

    /// What to do about it; empty where the message says all.
    const fn advice(self) -> &'static str {
        match self {
            Self::Authentication => "check the API key",
            Self::AccessDenied => "check what the API key may access",
            Self::NotFound => "check the model name and the base URL",
            Self::ContextLength => {
                "shorten the conversation or use a model with a larger context window"
            }
            Self::QuotaExceeded => "check plan and billing at the provider",
            Self::Network => "check the network, the base URL and proxy settings",
            Self::InvalidResponse => "check the base URL",
            _ => "",
        }
    }
}

/// How servers say that a request is longer than the context window of its model.
const TOO_LONG: [&str; 11] = [
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "context length",
    "context window",
    "context limit",
    "context size",
    "maximum prompt length",
    "too many tokens",
    "exceeds the maximum number of tokens",
    "reduce the length of the messages",
];

/// Whether the message of a refusal says that the request is longer than the context window.
pub(crate) fn is_too_long(message: &str) -> bool {
    let message = message.to_lowercase();
    TOO_LONG.iter().any(|phrase| message.contains(phrase))
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Error {
    /// An error without a provider.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorData {
            kind,
            message: message.into(),
            provider: None,
            model: None,
            status: None,
            code: None,
            retry_after: None,
            available_at: None,
            should_retry: None,
            request_id: None,
            raw: None,
        }))
    }

    /// What kind of error it is.
    pub const fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// All of it.
    pub const fn data(&self) -> &ErrorData {
        &self.0
    }

    /// All of it, to be changed.
    pub const fn data_mut(&mut self) -> &mut ErrorData {
        &mut self.0
    }

    /// The same error of that provider and model, where it names none.
    #[must_use]
    pub fn of(mut self, provider: &str, model: &str) -> Self {
        self.0.provider.get_or_insert_with(|| provider.to_owned());
        if !model.is_empty() {
            self.0.model.get_or_insert_with(|| model.to_owned());
        }
        self
    }

    /// Whether the same request may succeed a little later. The provider's own word wins over the kind, except where
    /// waiting cannot help.
    pub fn is_retryable(&self) -> bool {
        match self.0.kind {
            ErrorKind::QuotaExceeded | ErrorKind::Cancelled => false,
            kind => self.0.should_retry.unwrap_or_else(|| kind.is_transient()),
        }
    }

    /// Whether another model may be available while this one is not.
    pub const fn is_availability(&self) -> bool {
        self.0.kind.is_availability()
    }

    /// How long the provider asks to wait.
    pub const fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// When a rate-limited provider is available again.
    pub const fn available_at(&self) -> Option<Timestamp> {
        self.0.available_at
    }
}

impl From<ErrorData> for Error {
    fn from(data: ErrorData) -> Self {
        Self(Box::new(data))
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    /// `anthropic: Overloaded (HTTP 529, overloaded_error, model claude-opus-5-5); retry after 20s`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = &self.0;
        if let Some(provider) = &data.provider {
            write!(out, "{provider}: ")?;
        }
        out.write_str(&data.message)?;
        let facts = [
            data.status.map(|status| format!("HTTP {status}")),
            data.code.clone(),
            data.model.as_ref().map(|model| format!("model {model}")),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        if !facts.is_empty() {
            write!(out, " ({})", facts.join(", "))?;
        }
        if let Some(at) = data.available_at {
            write!(out, "; available at {}", at.strftime("%Y-%m-%dT%H:%M:%SZ"))?;
        } else if let Some(wait) = data.retry_after {
            write!(out, "; retry after {wait:?}")?;
        }
        let advice = data.kind.advice();
        if !advice.is_empty() {
            write!(out, "; {advice}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_message_names_provider_status_code_and_what_to_do() {
        let mut error = Error::new(ErrorKind::Authentication, "invalid x-api-key")
            .of("anthropic", "claude-opus-5-5");
        error.data_mut().status = Some(401);
        error.data_mut().code = Some("authentication_error".to_owned());
        expect![[r#"anthropic: invalid x-api-key (HTTP 401, authentication_error, model claude-opus-5-5); check the API key"#]]
            .assert_eq(&error.to_string());
    }

    #[test]
    fn a_request_that_is_too_long_is_known_by_the_words_of_each_server() {
        for message in [
            "prompt is too long: 215042 tokens > 200000 maximum",
            "Your input exceeds the context window of this model.",
            "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens.",
            "the request exceeds the available context size, try increasing it",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
            "Please reduce the length of the messages or completion.",
        ] {
            assert!(is_too_long(message), "{message}");
        }
        assert!(!is_too_long(
            "Limit 30000 tokens per min. Please try again in 6s."
        ));
    }

    #[test]
    fn the_providers_own_word_decides_about_a_retry() {
        let mut error = Error::new(ErrorKind::InvalidRequest, "conflict");
        assert!(!error.is_retryable());
        error.data_mut().should_retry = Some(true);
        assert!(error.is_retryable());
        let mut quota = Error::new(ErrorKind::QuotaExceeded, "no credit");
        quota.data_mut().should_retry = Some(true);
        assert!(!quota.is_retryable());
    }
}
