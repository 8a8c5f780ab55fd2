//! The end of an answer: why it ended, and what it used.

use super::wire::Usage;
use crate::response::FinishReason;
use crate::usage::TokenUsage;

/// The reason, from a server's word for it.
pub(super) fn reason(raw: &str, has_calls: bool, has_refusal: bool) -> FinishReason {
    match raw {
        "tool_calls" | "function_call" => FinishReason::ToolUse,
        "stop" | "eos" | "end_turn" if has_calls => FinishReason::ToolUse,
        "stop" | "eos" | "end_turn" if has_refusal => FinishReason::ContentFilter,
        "stop" | "eos" | "end_turn" => FinishReason::Stop,
        "length" | "max_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "error" => FinishReason::Error,
        _ => FinishReason::Other,
    }
}

/// Some servers count reasoning apart from other output; the total says which.
pub(super) fn usage(usage: &Usage) -> TokenUsage {
    let reasoning = usage
        .completion_tokens_details
        .as_ref()
        .and_then(|details| details.reasoning_tokens);
    let apart = usage.prompt_tokens + usage.completion_tokens + reasoning.unwrap_or_default();
    let is_apart =
        reasoning.is_some_and(|reasoning| reasoning > 0) && usage.total_tokens == Some(apart);
    let cached = usage
        .prompt_tokens_details
        .as_ref()
        .and_then(|details| details.cached_tokens);
    TokenUsage {
        input_tokens: usage.prompt_tokens,
        output_tokens: usage.completion_tokens + reasoning.filter(|_| is_apart).unwrap_or_default(),
        reasoning_tokens: reasoning,
        cache_read_tokens: cached.or(usage.prompt_cache_hit_tokens),
        ..TokenUsage::default()
    }
}
