//! Finish reasons, usage and errors of the Gemini API.

use serde::Deserialize;
use serde_json::{Value, json};

use super::wire::{ApiError, Candidate, PromptFeedback, Usage};
use crate::error::{Error, ErrorKind, is_too_long};
use crate::http::parse_go_duration;
use crate::response::{Finish, FinishReason};
use crate::usage::TokenUsage;

/// The API says `STOP` also for tool calls.
pub(super) fn finish(candidate: &Candidate, raw: &str, has_calls: bool) -> Result<Finish, Error> {
    let reason = match raw {
        "STOP" if has_calls => FinishReason::ToolUse,
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "LANGUAGE"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => FinishReason::ContentFilter,
        // The model failed to write a call: the same request may succeed.
        "MALFORMED_FUNCTION_CALL" | "MISSING_THOUGHT_SIGNATURE" | "MALFORMED_RESPONSE" => {
            let message = candidate
                .finish_message
                .clone()
                .unwrap_or_else(|| "the model wrote a malformed answer".to_owned());
            let mut error = Error::new(ErrorKind::Server, message);
            error.data_mut().code = Some(raw.to_owned());
            return Err(error);
        }
        _ => FinishReason::Other,
    };
    let details = candidate
        .finish_message
        .clone()
        .map(Value::from)
        .or_else(|| candidate.safety_ratings.clone());
    Ok(Finish {
        reason,
        raw: Some(raw.to_owned()),
        details: details.filter(|details| !details.is_null()),
    })
}

/// A blocked prompt has no candidates at all.
pub(super) fn blocked(feedback: &PromptFeedback) -> Option<Finish> {
    let reason = feedback.block_reason.clone()?;
    let details = json!({"block_reason": reason, "message": feedback.block_reason_message});
    Some(Finish {
        reason: FinishReason::ContentFilter,
        raw: Some(reason),
        details: Some(details),
    })
}

/// The API counts reasoning apart from other output, and the prompts of its own tools apart from other input.
pub(super) fn usage(usage: &Usage) -> TokenUsage {
    let input = usage.prompt_token_count.unwrap_or_default()
        + usage.tool_use_prompt_token_count.unwrap_or_default();
    let output = usage.candidates_token_count.unwrap_or_default()
        + usage.thoughts_token_count.unwrap_or_default();
    let left = usage
        .total_token_count
        .map(|total| total.saturating_sub(input));
    TokenUsage {
        input_tokens: input,
        output_tokens: if output == 0 {
            left.unwrap_or_default()
        } else {
            output
        },
        reasoning_tokens: usage.thoughts_token_count,
        cache_read_tokens: usage.cached_content_token_count,
        cache_write_tokens: None,
        cache_write_1h_tokens: None,
        estimated: false,
    }
}

/// An error, which may be wrapped in a list of one.
pub(super) fn error(status: Option<u16>, body: &Value) -> Error {
    let body = body.get(0).unwrap_or(body);
    let api = body
        .get("error")
        .and_then(|error| ApiError::deserialize(error).ok())
        .unwrap_or_default();
    let message = api
        .message
        .unwrap_or_else(|| "the provider gave no message".to_owned());
    let status = status.filter(|status| *status >= 300).or(api.code);
    let delay = detail(&api.details, "RetryInfo")
        .and_then(|info| parse_go_duration(info.get("retryDelay")?.as_str()?));
    let kind = kind_of(status, api.status.as_deref(), &message, &api.details);
    let mut error = Error::new(kind, message);
    error.data_mut().status = status;
    error.data_mut().code = api.status;
    error.data_mut().retry_after = delay;
    error
}

fn detail<'a>(details: &'a [Value], name: &str) -> Option<&'a Value> {
    let is_named = |one: &&Value| {
        one.get("@type")
            .and_then(Value::as_str)
            .is_some_and(|kind| kind.ends_with(name))
    };
    details.iter().find(is_named)
}

fn kind_of(status: Option<u16>, code: Option<&str>, message: &str, details: &[Value]) -> ErrorKind {
    let lower = message.to_lowercase();
    match code {
        Some("RESOURCE_EXHAUSTED") if is_daily(details) => ErrorKind::QuotaExceeded,
        Some("RESOURCE_EXHAUSTED") => ErrorKind::RateLimit,
        Some("UNAUTHENTICATED") => ErrorKind::Authentication,
        Some("INVALID_ARGUMENT") if lower.contains("api key") => ErrorKind::Authentication,
        Some("INVALID_ARGUMENT")
            if is_too_long(&lower)
                || (lower.contains("token count") && lower.contains("exceeds")) =>
        {
            ErrorKind::ContextLength
        }
        Some("INVALID_ARGUMENT" | "FAILED_PRECONDITION" | "OUT_OF_RANGE") => {
            ErrorKind::InvalidRequest
        }
        Some("PERMISSION_DENIED") => ErrorKind::AccessDenied,
        Some("NOT_FOUND") => ErrorKind::NotFound,
        Some("UNAVAILABLE") => ErrorKind::Overloaded,
        Some("INTERNAL" | "ABORTED" | "UNKNOWN") => ErrorKind::Server,
        Some("DEADLINE_EXCEEDED") => ErrorKind::Timeout,
        _ => status.map_or(ErrorKind::Server, ErrorKind::of_status),
    }
}

/// A quota of a day, or of nothing at all: waiting a minute does not help.
fn is_daily(details: &[Value]) -> bool {
    let violations = detail(details, "QuotaFailure").and_then(|failure| failure.get("violations"));
    let mut violations = violations.and_then(Value::as_array).into_iter().flatten();
    violations.any(|one| {
        let id = one
            .get("quotaId")
            .and_then(Value::as_str)
            .unwrap_or_default();
        id.contains("PerDay")
            || one
                .get("quotaValue")
                .is_some_and(|value| value == "0" || value == 0)
    })
}

pub(super) fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(
        ErrorKind::InvalidResponse,
        format!("cannot read the answer: {error}"),
    )
}
