//! Answers of the Responses API.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::PROVIDER;
use super::wire::{Answer, ApiError, Usage};
use crate::content::{
    ContentPart, NativeContent, ProviderState, RefusalContent, TextContent, ThinkingContent,
    ToolCallContent,
};
use crate::error::{Error, ErrorKind, is_too_long};
use crate::http::{Call, parse_go_duration};
use crate::request::Request;
use crate::response::{Finish, FinishReason, Response};
use crate::usage::TokenUsage;

pub(super) fn response(call: &Call<'_>, body: &Value) -> Result<Response, Error> {
    let answer = Answer::deserialize(body).map_err(|error| unreadable(&error))?;
    let name = if answer.model.is_empty() {
        &call.model.id
    } else {
        &answer.model
    };
    let mut response = Response::empty(PROVIDER, name);
    response.message.content = answer
        .output
        .iter()
        .flat_map(|item| parts(call.request, name, item))
        .collect();
    response.finish = finish(&answer, &response.message.content)?;
    response.usage = usage(answer.usage.as_ref());
    response.metadata = metadata(&answer);
    response.provider_response_id = answer.id;
    Ok(response)
}

/// The parts of an output item: one, except for messages of several texts and for several calls in one.
pub(super) fn parts(request: &Request, model: &str, item: &Value) -> Vec<ContentPart> {
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    let state = |data: Value| ProviderState {
        provider: PROVIDER.to_owned(),
        model: model.to_owned(),
        data,
    };
    match text("type") {
        "message" => message(item, &state),
        "function_call" => {
            let calls = wrapped_calls(request, item);
            if !calls.is_empty() {
                return calls.into_iter().map(ContentPart::ToolCall).collect();
            }
            let mut call = ToolCallContent::parse(text("call_id"), text("name"), text("arguments"));
            if text("status") == "incomplete" {
                call.invalid
                    .get_or_insert_with(|| "the answer was cut off at the output limit".to_owned());
            }
            call.state = Some(state(item.clone()));
            vec![ContentPart::ToolCall(call)]
        }
        "custom_tool_call" => {
            let mut call = ToolCallContent::freeform(text("call_id"), text("name"), text("input"));
            if text("status") == "incomplete" {
                call.invalid = Some("the answer was cut off at the output limit".to_owned());
            }
            call.state = Some(state(item.clone()));
            vec![ContentPart::ToolCall(call)]
        }
        "reasoning" => vec![ContentPart::Thinking(ThinkingContent {
            text: reasoning_text(item),
            signature: item
                .get("encrypted_content")
                .and_then(Value::as_str)
                .map(str::to_owned),
            state: Some(state(item.clone())),
        })],
        kind => vec![ContentPart::Native(NativeContent {
            block: kind.to_owned(),
            state: state(item.clone()),
        })],
    }
}

fn message(item: &Value, state: &dyn Fn(Value) -> ProviderState) -> Vec<ContentPart> {
    let content = item
        .get("content")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let part = |part: &Value| {
        let text = |key: &str| {
            part.get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let mut data = Map::new();
        for (source, key) in [(item, "phase"), (item, "id"), (part, "annotations")] {
            let value = source
                .get(key)
                .filter(|value| !value.is_null() && **value != json!([]));
            data.extend(value.map(|value| (key.to_owned(), value.clone())));
        }
        let state = Some(state(Value::Object(data)));
        match text("type").as_str() {
            "refusal" => ContentPart::Refusal(RefusalContent {
                text: text("refusal"),
                state,
            }),
            _ => ContentPart::Text(TextContent {
                text: text("text"),
                state,
            }),
        }
    };
    content.map(part).collect()
}

/// The summary, or the full reasoning where a model shows it.
fn reasoning_text(item: &Value) -> String {
    let texts = |key: &str| -> Vec<&str> {
        let parts = item
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        parts
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect()
    };
    let summary = texts("summary");
    if summary.is_empty() {
        texts("content").concat()
    } else {
        summary.join("\n\n")
    }
}

/// Whether a call is of no defined tool but of the wrapper some models make up for several calls at once.
pub(super) fn is_wrapper(request: &Request, name: &str) -> bool {
    matches!(
        name,
        "parallel" | "multi_tool_use.parallel" | "multi_tool_use_parallel"
    ) && !request.tools.iter().any(|tool| tool.name == name)
}

/// The calls in such a wrapper.
fn wrapped_calls(request: &Request, item: &Value) -> Vec<ToolCallContent> {
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    if !is_wrapper(request, text("name")) {
        return Vec::new();
    }
    let arguments: Value = serde_json::from_str(text("arguments")).unwrap_or_default();
    let uses = arguments
        .get("tool_uses")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let call = |(index, one): (usize, &Value)| {
        let name = one.get("recipient_name").and_then(Value::as_str)?;
        let name = name.strip_prefix("functions.").unwrap_or(name);
        let parameters = one
            .get("parameters")
            .map_or_else(|| "{}".to_owned(), Value::to_string);
        Some(ToolCallContent::parse(
            format!("{}_{index}", text("call_id")),
            name,
            parameters,
        ))
    };
    uses.iter().enumerate().filter_map(call).collect()
}

/// The API has no word for why an answer ended: it follows from its status and content.
pub(super) fn finish(answer: &Answer, parts: &[ContentPart]) -> Result<Finish, Error> {
    let status = answer.status.as_deref().unwrap_or("completed");
    let has = |wanted: fn(&ContentPart) -> bool| parts.iter().any(wanted);
    match status {
        "failed" => Err(api_error(None, &answer.error.clone().unwrap_or_default())),
        "cancelled" => Ok(Finish::new(FinishReason::Error, status)),
        "incomplete" => {
            let raw = answer
                .incomplete_details
                .as_ref()
                .and_then(|details| details.reason.clone());
            let raw = raw.unwrap_or_else(|| status.to_owned());
            let reason = match raw.as_str() {
                "max_output_tokens" => FinishReason::Length,
                "content_filter" => FinishReason::ContentFilter,
                _ => FinishReason::Other,
            };
            Ok(Finish::new(reason, raw))
        }
        _ if has(|part| matches!(part, ContentPart::ToolCall(_))) => {
            Ok(Finish::new(FinishReason::ToolUse, status))
        }
        _ if has(|part| matches!(part, ContentPart::Refusal(_))) => {
            Ok(Finish::new(FinishReason::ContentFilter, status))
        }
        _ => Ok(Finish::new(FinishReason::Stop, status)),
    }
}

pub(super) fn usage(usage: Option<&Usage>) -> TokenUsage {
    let Some(usage) = usage else {
        return TokenUsage {
            estimated: true,
            ..TokenUsage::default()
        };
    };
    let input = usage.input_tokens_details.clone().unwrap_or_default();
    TokenUsage {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        reasoning_tokens: usage
            .output_tokens_details
            .as_ref()
            .and_then(|details| details.reasoning_tokens),
        cache_read_tokens: input.cached_tokens,
        cache_write_tokens: input.cache_write_tokens,
        cache_write_1h_tokens: None,
        estimated: false,
    }
}

pub(super) fn metadata(answer: &Answer) -> Map<String, Value> {
    let tier = answer.service_tier.clone().filter(|tier| !tier.is_null());
    tier.map(|tier| ("service_tier".to_owned(), tier))
        .into_iter()
        .collect()
}

pub(crate) fn error(status: Option<u16>, body: &Value) -> Error {
    let error = body.get("error").unwrap_or(body);
    let api = match error {
        Value::String(message) => ApiError {
            message: Some(message.clone()),
            ..ApiError::default()
        },
        error => ApiError::deserialize(error).unwrap_or_default(),
    };
    api_error(status, &api)
}

/// An error by its code, which an event inside a stream has instead of a status.
pub(super) fn api_error(status: Option<u16>, api: &ApiError) -> Error {
    let code = match &api.code {
        Some(Value::String(code)) => Some(code.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let kind = kind_of(
        status,
        code.as_deref(),
        api.kind.as_deref(),
        api.message.as_deref().unwrap_or_default(),
    );
    let mut message = api
        .message
        .clone()
        .unwrap_or_else(|| "the provider gave no message".to_owned());
    if let Some(param) = api
        .param
        .as_ref()
        .and_then(Value::as_str)
        .filter(|param| !message.contains(*param))
    {
        message = format!("{message} (parameter `{param}`)");
    }
    let mut error = Error::new(kind, message);
    error.data_mut().status = status;
    error.data_mut().code = code.or_else(|| api.kind.clone());
    if kind == ErrorKind::RateLimit {
        // Inside a stream there are no headers; the delay is only in the text.
        let text = error
            .data()
            .message
            .split_once("try again in ")
            .map(|(_, rest)| rest.to_owned());
        let word = text
            .as_deref()
            .and_then(|rest| rest.split_whitespace().next());
        error.data_mut().retry_after =
            word.and_then(|word| parse_go_duration(word.trim_end_matches('.')));
    }
    error
}

fn kind_of(
    status: Option<u16>,
    code: Option<&str>,
    kind: Option<&str>,
    message: &str,
) -> ErrorKind {
    let word = |words: [Option<&str>; 2]| words.into_iter().flatten().find_map(kind_of_code);
    match (word([code, kind]), status) {
        (Some(kind), _) => kind,
        // Some servers call it an error of their own.
        (None, Some(400 | 413 | 422 | 500) | None) if is_too_long(message) => {
            ErrorKind::ContextLength
        }
        (None, Some(status)) => ErrorKind::of_status(status),
        (None, None) if kind == Some("invalid_request_error") => ErrorKind::InvalidRequest,
        (None, None) => ErrorKind::Server,
    }
}

fn kind_of_code(code: &str) -> Option<ErrorKind> {
    Some(match code {
        "insufficient_quota" | "billing_hard_limit_reached" | "billing_not_active" => {
            ErrorKind::QuotaExceeded
        }
        "rate_limit_exceeded" | "rate_limit_error" | "tokens" | "requests" => ErrorKind::RateLimit,
        "context_length_exceeded" | "exceed_context_size_error" => ErrorKind::ContextLength,
        "server_is_overloaded" | "slow_down" | "overloaded_error" => ErrorKind::Overloaded,
        "server_error" | "internal_error" => ErrorKind::Server,
        "invalid_api_key" | "authentication_error" => ErrorKind::Authentication,
        "model_not_found" | "not_found_error" => ErrorKind::NotFound,
        "bio_policy"
        | "misalignment_policy_violation"
        | "content_policy_violation"
        | "content_filter"
        | "image_content_policy_violation" => ErrorKind::ContentFilter,
        _ => return None,
    })
}

pub(super) fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(
        ErrorKind::InvalidResponse,
        format!("cannot read the answer: {error}"),
    )
}
