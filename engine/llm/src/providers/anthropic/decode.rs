//! Answers of the Messages API.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::PROVIDER;
use super::wire::{Answer, ApiError, ErrorBody, Usage};
use crate::content::{
    ContentPart, NativeContent, ProviderState, RedactedThinkingContent, TextContent,
    ThinkingContent, ToolCallContent,
};
use crate::error::{Error, ErrorKind, is_too_long};
use crate::response::{Finish, FinishReason, Response};
use crate::usage::TokenUsage;

pub(super) fn response(model: &str, body: &Value) -> Result<Response, Error> {
    let answer = Answer::deserialize(body).map_err(|error| unreadable(&error))?;
    let mut response = Response::empty(
        PROVIDER,
        if answer.model.is_empty() {
            model
        } else {
            &answer.model
        },
    );
    let name = response.model.clone();
    response.message.content = answer
        .content
        .iter()
        .map(|block| part(&name, block))
        .collect();
    response.finish = finish(
        answer.stop_reason.as_deref(),
        answer.stop_sequence,
        answer.stop_details,
    );
    if response.finish.reason == FinishReason::Length
        && let Some(last) = response.message.content.last_mut()
    {
        cut_off(last);
    }
    response.usage = usage(&answer.usage);
    response.metadata = metadata(&answer.usage);
    response.provider_response_id = answer.id;
    Ok(response)
}

/// A call at the very end of an answer that ran into its limit may lack arguments, and must not be executed.
pub(super) fn cut_off(last: &mut ContentPart) {
    if let ContentPart::ToolCall(call) = last {
        call.invalid
            .get_or_insert_with(|| "the answer was cut off at the output limit".to_owned());
    }
}

/// A content block. What a replay needs besides the common fields stays with the part, as it came.
pub(super) fn part(model: &str, block: &Value) -> ContentPart {
    let text = |key: &str| {
        block
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let state = |data: Value| ProviderState {
        provider: PROVIDER.to_owned(),
        model: model.to_owned(),
        data,
    };
    let kind = text("type");
    match kind.as_str() {
        "text" => {
            let state = has_more(block, &["type", "text"]).then(|| state(block.clone()));
            ContentPart::Text(TextContent {
                text: text("text"),
                state,
            })
        }
        "thinking" => ContentPart::Thinking(ThinkingContent {
            text: text("thinking"),
            signature: Some(text("signature")).filter(|signature| !signature.is_empty()),
            state: Some(state(Value::Null)),
        }),
        "redacted_thinking" => ContentPart::RedactedThinking(RedactedThinkingContent {
            data: text("data"),
            state: Some(state(Value::Null)),
        }),
        "tool_use" => {
            let input = block
                .get("input")
                .cloned()
                .unwrap_or_else(|| Value::Object(Map::new()));
            let mut call = ToolCallContent::parse(text("id"), text("name"), input.to_string());
            call.state =
                has_more(block, &["type", "id", "name", "input"]).then(|| state(block.clone()));
            ContentPart::ToolCall(call)
        }
        _ => ContentPart::Native(NativeContent {
            block: kind,
            state: state(block.clone()),
        }),
    }
}

fn has_more(block: &Value, known: &[&str]) -> bool {
    let fields = block.as_object();
    fields.is_some_and(|fields| {
        fields
            .iter()
            .any(|(key, value)| !known.contains(&key.as_str()) && !value.is_null())
    })
}

pub(super) fn finish(
    raw: Option<&str>,
    stop_sequence: Option<String>,
    details: Option<Value>,
) -> Finish {
    let reason = match raw {
        Some("end_turn" | "stop_sequence") => FinishReason::Stop,
        Some("tool_use") => FinishReason::ToolUse,
        Some("max_tokens" | "model_context_window_exceeded") => FinishReason::Length,
        Some("refusal") => FinishReason::ContentFilter,
        // `pause_turn` is not the end: the answer is sent back as it is, and the model continues.
        _ => FinishReason::Other,
    };
    let details = details
        .filter(|details| !details.is_null())
        .or_else(|| stop_sequence.map(Value::from));
    Finish {
        reason,
        raw: raw.map(str::to_owned),
        details,
    }
}

/// The API counts input that was read from or written to a cache apart from other input.
pub(super) fn usage(usage: &Usage) -> TokenUsage {
    let (read, write) = (
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
    );
    let cached = read
        .unwrap_or_default()
        .saturating_add(write.unwrap_or_default());
    TokenUsage {
        input_tokens: usage
            .input_tokens
            .unwrap_or_default()
            .saturating_add(cached),
        output_tokens: usage.output_tokens.unwrap_or_default(),
        reasoning_tokens: usage
            .output_tokens_details
            .as_ref()
            .and_then(|details| details.thinking_tokens),
        cache_read_tokens: read,
        cache_write_tokens: write,
        cache_write_1h_tokens: usage
            .cache_creation
            .as_ref()
            .and_then(|created| created.ephemeral_1h_input_tokens),
        estimated: false,
    }
}

pub(super) fn metadata(usage: &Usage) -> Map<String, Value> {
    let fields = [
        ("server_tool_use", &usage.server_tool_use),
        ("service_tier", &usage.service_tier),
        ("speed", &usage.speed),
    ];
    let present = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
    present.filter(|(_, value)| !value.is_null()).collect()
}

pub(super) fn error(status: Option<u16>, body: &Value) -> Error {
    let body = ErrorBody::deserialize(body).unwrap_or_default();
    let mut error = api_error(status, body.error);
    error.data_mut().request_id = body.request_id;
    error
}

/// An error by its type, which an event inside a stream has instead of a status.
pub(super) fn api_error(status: Option<u16>, api: ApiError) -> Error {
    let code = api.details.and_then(|details| details.error_code);
    let mentions = |words: &[&str]| {
        words
            .iter()
            .any(|word| api.message.to_lowercase().contains(word))
    };
    let is_spend_limit = code
        .as_ref()
        .is_some_and(|code| code.ends_with("_spend_limit_reached"));
    let kind = match api.kind.as_str() {
        _ if is_spend_limit => ErrorKind::QuotaExceeded,
        "billing_error" => ErrorKind::QuotaExceeded,
        "authentication_error" => ErrorKind::Authentication,
        "permission_error" => ErrorKind::AccessDenied,
        "not_found_error" => ErrorKind::NotFound,
        "rate_limit_error" => ErrorKind::RateLimit,
        "timeout_error" => ErrorKind::Timeout,
        "overloaded_error" => ErrorKind::Overloaded,
        "api_error" | "conflict_error" => ErrorKind::Server,
        "request_too_large" => ErrorKind::ContextLength,
        "invalid_request_error" if is_too_long(&api.message) => ErrorKind::ContextLength,
        "invalid_request_error" if mentions(&["credit balance is too low"]) => {
            ErrorKind::QuotaExceeded
        }
        "invalid_request_error" => ErrorKind::InvalidRequest,
        _ => status.map_or(ErrorKind::Server, ErrorKind::of_status),
    };
    let message = if api.message.is_empty() {
        "the provider gave no message".to_owned()
    } else {
        api.message
    };
    let mut error = Error::new(kind, message);
    error.data_mut().code = code.or(Some(api.kind)).filter(|code| !code.is_empty());
    error.data_mut().status = status;
    error
}

pub(super) fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(
        ErrorKind::InvalidResponse,
        format!("cannot read the answer: {error}"),
    )
}
