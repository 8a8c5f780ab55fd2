//! opencode: `opencode run --format json`.

use attractor_run::{CodergenRequest, Usage};
use serde_json::Value;

use super::options::{is_read_only, not_followed};
use super::transcript::{Transcript, count, text};

pub(super) fn arguments(request: &CodergenRequest) -> (Vec<String>, Vec<String>) {
    let mut arguments = vec!["run".to_owned(), "--format=json".to_owned()];
    if is_read_only(request) {
        arguments.push("--agent=plan".to_owned());
    }
    // It names models PROVIDER/MODEL.
    let model = request
        .model
        .as_deref()
        .map(|model| match &request.provider {
            Some(provider) if !model.contains('/') => format!("{provider}/{model}"),
            _ => model.to_owned(),
        });
    arguments.extend(model.map(|model| format!("--model={model}")));
    let ignored = [
        "temperature",
        "top_p",
        "max_tokens",
        "reasoning_effort",
        "max_turns",
        "max_cost",
        "allowed_tools",
    ];
    (arguments, not_followed(request, "opencode", &ignored))
}

pub(super) fn read(transcript: &mut Transcript, event: &Value) -> Option<String> {
    transcript.session = text(event, "/sessionID").or_else(|| transcript.session.take());
    match event.get("type")?.as_str()? {
        "text" => {
            let piece = text(event, "/part/text")?;
            transcript.text.push_str(&piece);
            return Some(piece);
        }
        // What was written before a tool call is not the answer.
        "tool_use" => transcript.text.clear(),
        "step_finish" => {
            let usage = Usage {
                input_tokens: count(event, "/part/tokens/input")
                    + count(event, "/part/tokens/cache/read")
                    + count(event, "/part/tokens/cache/write"),
                output_tokens: count(event, "/part/tokens/output")
                    + count(event, "/part/tokens/reasoning"),
                reasoning_tokens: count(event, "/part/tokens/reasoning"),
                cache_read_tokens: count(event, "/part/tokens/cache/read"),
                cache_write_tokens: count(event, "/part/tokens/cache/write"),
                cost: event
                    .pointer("/part/cost")
                    .and_then(Value::as_f64)
                    .unwrap_or_default(),
                ..Usage::default()
            };
            transcript.usage.add(&usage);
        }
        "error" => {
            let message = text(event, "/error/data/message");
            let message = message.or_else(|| text(event, "/error/message"));
            transcript.error = message.or_else(|| text(event, "/error/name"));
        }
        _ => {}
    }
    None
}
