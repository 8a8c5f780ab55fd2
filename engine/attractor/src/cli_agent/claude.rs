//! Claude Code: `claude --print --output-format stream-json`.

use attractor_run::{CodergenRequest, Usage};
use serde_json::Value;

use super::options::{is_read_only, not_followed};
use super::transcript::{Transcript, count, text};

pub(super) fn arguments(request: &CodergenRequest) -> (Vec<String>, Vec<String>) {
    let mode = if is_read_only(request) {
        "plan"
    } else {
        "acceptEdits"
    };
    let mut arguments = vec![
        "--print".to_owned(),
        "--output-format=stream-json".to_owned(),
        "--verbose".to_owned(),
        format!("--permission-mode={mode}"),
    ];
    let system = request.system_prompt.as_deref();
    let options = [
        ("--model", request.model.as_deref()),
        (
            "--append-system-prompt",
            system.filter(|text| !text.is_empty()),
        ),
        ("--max-turns", request.option("max_turns")),
        ("--allowedTools", request.option("allowed_tools")),
    ];
    for (name, value) in options {
        arguments.extend(value.map(|value| format!("{name}={value}")));
    }
    if let Some(cost) = request.option("max_cost") {
        let cost = cost.trim_start_matches('$');
        arguments.push(format!("--max-budget-usd={cost}"));
    }
    let ignored = ["temperature", "top_p", "max_tokens", "reasoning_effort"];
    (arguments, not_followed(request, "Claude Code", &ignored))
}

pub(super) fn read(transcript: &mut Transcript, event: &Value) -> Option<String> {
    match event.get("type")?.as_str()? {
        "system" => {
            transcript.session = text(event, "/session_id");
            transcript.model = text(event, "/model");
            None
        }
        "assistant" => {
            let parts = event.pointer("/message/content")?.as_array()?;
            let texts = parts.iter().filter_map(|part| text(part, "/text"));
            Some(texts.collect::<String>()).filter(|text| !text.is_empty())
        }
        "result" => {
            result(transcript, event);
            None
        }
        _ => None,
    }
}

fn result(transcript: &mut Transcript, event: &Value) {
    let answer = text(event, "/result");
    let is_error = event.get("is_error").and_then(Value::as_bool) == Some(true);
    let kind = text(event, "/subtype").unwrap_or_default();
    if is_error || kind != "success" {
        let kind = kind.replace('_', " ");
        transcript.error = Some(answer.filter(|text| !text.is_empty()).unwrap_or(kind));
    } else {
        transcript.text = answer.unwrap_or_default();
    }
    let cached = count(event, "/usage/cache_read_input_tokens");
    let written = count(event, "/usage/cache_creation_input_tokens");
    transcript.usage = Usage {
        input_tokens: count(event, "/usage/input_tokens") + cached + written,
        output_tokens: count(event, "/usage/output_tokens"),
        cache_read_tokens: cached,
        cache_write_tokens: written,
        cost: event
            .get("total_cost_usd")
            .and_then(Value::as_f64)
            .unwrap_or_default(),
        ..Usage::default()
    };
}
