//! A provider-neutral client for language models: one set of messages, events and errors for Anthropic, `OpenAI`,
//! Google Gemini and every server that speaks the Chat Completions.
//!
//! It knows no pipeline and no agent. Requests and answers are translated by pure functions, one module per provider
//! ([`providers`]); HTTP, time and cancellation are at the rim.

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::float_cmp,
        clippy::needless_pass_by_value,
        reason = "tests fail by panicking"
    )
)]

mod adapter;
mod client;
mod collector;
mod content;
mod conversation;
mod error;
mod event;
mod generate;
mod http;
mod media;
mod message;
pub mod middleware;
pub mod providers;
mod redact;
mod request;
mod response;
mod retry;
mod shown;
mod sse;
#[cfg(test)]
mod testing;
mod tool;
mod usage;

pub use adapter::ProviderAdapter;
pub use attractor_models::Effort as ReasoningEffort;
pub use client::{Client, ClientBuilder, LlmClient};
pub use collector::{StreamAccumulator, StreamCollector};
pub use content::{
    ContentPart, NativeContent, ProviderState, RedactedThinkingContent, RefusalContent,
    TextContent, ThinkingContent, ToolCallContent, ToolResultContent,
};
pub use error::{Error, ErrorData, ErrorKind};
pub use event::{EventStream, StreamEvent};
pub use generate::{
    GenerateRequest, GeneratedObject, Generation, GenerationEvent, GenerationStream, ObjectEvent,
    ObjectSchema, ObjectStream, Step, ToolError, ToolExecutor, ToolOutput,
};
pub use http::{Endpoint, HttpOptions, Timeouts, http_client, is_loopback};
pub use media::{MediaContent, MediaSource};
pub use message::{Message, Role, estimate_message_tokens};
pub use redact::Redactor;
pub use request::{Request, ResponseFormat};
pub use response::{Finish, FinishReason, Quota, RateLimit, Response, Warning};
pub use retry::{OnRateLimit, RetryPolicy};
pub use shown::{MoreText, ShownText};
pub use sse::{ServerSentEvent, SseDecoder};
pub use tool::{Freeform, ToolChoice, ToolDefinition};
pub use usage::{TokenUsage, estimate_tokens};

/// The examples of the manual, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/llm.md")]
struct Manual;
