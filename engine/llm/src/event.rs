//! What a streaming call delivers.

use std::pin::Pin;
use std::time::Duration;

use futures::Stream;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::content::{ContentPart, ToolCallContent};
use crate::error::Error;
use crate::response::{Finish, RateLimit, Warning};
use crate::usage::TokenUsage;

/// A streaming call in progress. An error is its last item. Dropping it closes the connection.
pub type EventStream = Pin<Box<dyn Stream<Item = Result<StreamEvent, Error>> + Send>>;

/// One event of a stream. Parts of the message are numbered; a part's deltas come before its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StreamEvent {
    /// The provider accepted the request. The first event, and again after [`Retry`](Self::Retry).
    StreamStart {
        /// The provider.
        provider: String,
        /// The model, as the provider names it.
        model: String,
        /// The provider's id of the response.
        id: String,
        /// Tokens known so far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<TokenUsage>,
        /// What of the request was left out or changed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
        /// What is left of the provider's rate limits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rate_limit: Option<RateLimit>,
    },
    /// More text.
    TextDelta {
        /// The part.
        part: usize,
        /// The text.
        text: String,
    },
    /// More reasoning.
    ReasoningDelta {
        /// The part.
        part: usize,
        /// The text.
        text: String,
    },
    /// A tool call begins; its arguments follow.
    ToolCallStart {
        /// The part.
        part: usize,
        /// The call, still without arguments.
        tool_call: ToolCallContent,
    },
    /// More of a tool call's arguments.
    ToolCallDelta {
        /// The part.
        part: usize,
        /// JSON text.
        text: String,
    },
    /// A tool call is complete.
    ToolCallEnd {
        /// The part.
        part: usize,
        /// The call.
        tool_call: ToolCallContent,
    },
    /// Any other part is complete, with all that a later request must repeat.
    PartEnd {
        /// The part.
        part: usize,
        /// The part, complete.
        content: ContentPart,
    },
    /// The answer failed and is requested again: what was delivered of it is void, and `StreamStart` follows. Only with
    /// [`RetryPolicy::after_content`](crate::RetryPolicy::after_content); it may come before the first `StreamStart`.
    Retry {
        /// Why, in words.
        error: String,
        /// Which retry it is, from 1; 0 where another model is asked instead.
        attempt: u32,
        /// How many retries there may be.
        #[serde(default)]
        max_retries: u32,
        /// Milliseconds until then.
        delay_ms: u64,
    },
    /// Something about the call that the caller should know.
    Warning {
        /// What.
        warning: Warning,
    },
    /// The answer is complete. Always the last event of a stream without error.
    Finish {
        /// Why the model stopped.
        finish: Finish,
        /// Tokens used.
        usage: TokenUsage,
        /// Milliseconds since the request.
        #[serde(default)]
        latency_ms: f64,
        /// More of the provider's own data.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        metadata: Map<String, Value>,
    },
}

impl StreamEvent {
    /// A line about an answer that is requested again, for people: `attempt 2 of 7 in 1.0s: REASON`.
    pub fn retry_notice(&self) -> Option<String> {
        let Self::Retry {
            error,
            attempt,
            max_retries,
            delay_ms,
        } = self
        else {
            return None;
        };
        if *attempt == 0 {
            return Some(format!("another model is asked: {error}"));
        }
        let delay = Duration::from_millis(*delay_ms);
        let (next, most) = (attempt + 1, max_retries.max(attempt) + 1);
        Some(format!("attempt {next} of {most} in {delay:.1?}: {error}"))
    }

    /// The name of its type, as in its JSON form.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::StreamStart { .. } => "stream_start",
            Self::TextDelta { .. } => "text_delta",
            Self::ReasoningDelta { .. } => "reasoning_delta",
            Self::ToolCallStart { .. } => "tool_call_start",
            Self::ToolCallDelta { .. } => "tool_call_delta",
            Self::ToolCallEnd { .. } => "tool_call_end",
            Self::PartEnd { .. } => "part_end",
            Self::Retry { .. } => "retry",
            Self::Warning { .. } => "warning",
            Self::Finish { .. } => "finish",
        }
    }
}
