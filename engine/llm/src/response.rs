//! What a model answers.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::message::{Message, Role};
use crate::usage::TokenUsage;

/// The answer of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The model's message.
    pub message: Message,
    /// The model, as the provider names it.
    pub model: String,
    /// The provider.
    pub provider: String,
    /// Why the model stopped.
    pub finish: Finish,
    /// Tokens used.
    pub usage: TokenUsage,
    /// The provider's id of the response.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub provider_response_id: String,
    /// Milliseconds from request to end of response.
    #[serde(default)]
    pub latency_ms: f64,
    /// What of the request was left out or changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What is left of the provider's rate limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    /// More of the provider's own data.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// The body as the provider sent it; absent for streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Value>,
}

impl Response {
    /// An empty answer.
    pub fn empty(provider: &str, model: &str) -> Self {
        Self {
            message: Message::new(Role::Assistant, Vec::new()),
            model: model.to_owned(),
            provider: provider.to_owned(),
            finish: Finish::default(),
            usage: TokenUsage::default(),
            provider_response_id: String::new(),
            latency_ms: 0.0,
            warnings: Vec::new(),
            rate_limit: None,
            metadata: Map::new(),
            raw: None,
        }
    }

    /// The text of the message.
    pub fn text(&self) -> String {
        self.message.text()
    }

    /// Why the model stopped.
    pub const fn finish_reason(&self) -> FinishReason {
        self.finish.reason
    }
}

/// Why a model stopped, in common terms and in the provider's own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Finish {
    /// In common terms.
    pub reason: FinishReason,
    /// As the provider says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// More of what the provider says about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl Finish {
    /// A reason with the provider's own word for it.
    pub fn new(reason: FinishReason, raw: impl Into<String>) -> Self {
        Self {
            reason,
            raw: Some(raw.into()),
            details: None,
        }
    }

    /// Whether the provider paused the model in the middle of its work. It continues when it is sent its own answer.
    pub fn is_paused(&self) -> bool {
        self.raw.as_deref() == Some("pause_turn")
    }

    /// Why an answer that ended so is none, in words: generation failed, the model stopped for a call that is not there,
    /// or for a reason that nobody knows. A pause is not an end.
    pub fn problem(&self, has_calls: bool) -> Option<String> {
        match self.reason {
            FinishReason::Error => Some("the answer ended with an error of the model".to_owned()),
            FinishReason::ToolUse if !has_calls => {
                Some("the model stopped to call a tool, but its answer has no call".to_owned())
            }
            FinishReason::Other if !self.is_paused() => {
                let raw = self.raw.as_deref()?;
                Some(format!("the answer ended for an unknown reason: `{raw}`"))
            }
            _ => None,
        }
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// It was done.
    #[default]
    Stop,
    /// It called tools and waits for their results.
    ToolUse,
    /// It ran into the limit of output or of the context window.
    Length,
    /// The provider blocked the prompt or the answer, or the model declined.
    ContentFilter,
    /// Generation failed.
    Error,
    /// A reason without a common term; see [`Finish::raw`].
    Other,
}

impl FinishReason {
    /// The word of its JSON form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::ToolUse => "tool_use",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::Error => "error",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for FinishReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// Something of a request that was left out or changed, because the model cannot take it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A word for the kind: the name of the field, or of the event.
    pub code: String,
    /// What was left out or changed, and why.
    pub message: String,
}

impl Warning {
    /// A warning.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
        }
    }
}

/// What a provider reports of its rate limits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RateLimit {
    /// Requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<Quota>,
    /// Tokens of input and output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Quota>,
    /// Tokens of input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<Quota>,
    /// Tokens of output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<Quota>,
}

/// One limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Quota {
    /// The limit per period.
    pub limit: Option<u64>,
    /// What is left of it.
    pub remaining: Option<u64>,
    /// When it is full again.
    pub reset: Option<Timestamp>,
}
