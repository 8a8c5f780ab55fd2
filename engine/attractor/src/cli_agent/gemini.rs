//! Gemini CLI: `gemini --output-format stream-json`.

use attractor_run::{CodergenRequest, Usage};
use serde_json::Value;

use super::options::{is_read_only, not_followed};
use super::transcript::{Transcript, count, text};

pub(super) fn arguments(request: &CodergenRequest) -> (Vec<String>, Vec<String>) {
    let mode = if is_read_only(request) {
        "default"
    } else {
        "auto_edit"
    };
    let mut arguments = vec![
        "--output-format=stream-json".to_owned(),
        format!("--approval-mode={mode}"),
    ];
    arguments.extend(
        request
            .model
            .as_ref()
            .map(|model| format!("--model={model}")),
    );
    arguments.extend(
        request
            .option("allowed_tools")
            .map(|tools| format!("--allowed-tools={tools}")),
    );
    let ignored = [
        "temperature",
        "top_p",
        "max_tokens",
        "reasoning_effort",
        "max_turns",
        "max_cost",
    ];
    (arguments, not_followed(request, "Gemini CLI", &ignored))
}

pub(super) fn read(transcript: &mut Transcript, event: &Value) -> Option<String> {
    match event.get("type")?.as_str()? {
        "init" => {
            transcript.session = text(event, "/session_id");
            transcript.model = text(event, "/model");
        }
        "message" if event.get("role").and_then(Value::as_str) == Some("assistant") => {
            let piece = text(event, "/content")?;
            transcript.text.push_str(&piece);
            return Some(piece);
        }
        // What was written before a tool call is not the answer.
        "tool_use" => transcript.text.clear(),
        "error" => transcript.warnings.extend(text(event, "/message")),
        "result" => result(transcript, event),
        _ => {}
    }
    None
}

fn result(transcript: &mut Transcript, event: &Value) {
    if event.get("status").and_then(Value::as_str) == Some("error") {
        let message = text(event, "/error/message");
        transcript.error = Some(message.unwrap_or_else(|| "an error without a message".to_owned()));
    }
    transcript.usage = Usage {
        input_tokens: count(event, "/stats/input_tokens"),
        output_tokens: count(event, "/stats/output_tokens"),
        cache_read_tokens: count(event, "/stats/cached"),
        ..Usage::default()
    };
}
