//! Codex: `codex exec --json`.

use attractor_run::{CodergenRequest, Usage};
use serde_json::Value;

use super::options::{is_read_only, not_followed};
use super::transcript::{Transcript, count, text};

pub(super) fn arguments(request: &CodergenRequest) -> (Vec<String>, Vec<String>) {
    let sandbox = if is_read_only(request) {
        "read-only"
    } else {
        "workspace-write"
    };
    let mut arguments = vec![
        "exec".to_owned(),
        "--json".to_owned(),
        "--skip-git-repo-check".to_owned(),
        format!("--sandbox={sandbox}"),
    ];
    arguments.extend(
        request
            .model
            .as_ref()
            .map(|model| format!("--model={model}")),
    );
    if let Some(effort) = request.option("reasoning_effort") {
        arguments.push(format!("--config=model_reasoning_effort={effort}"));
    }
    // The prompt is read from the standard input.
    arguments.push("-".to_owned());
    let ignored = [
        "temperature",
        "top_p",
        "max_tokens",
        "max_turns",
        "max_cost",
        "allowed_tools",
    ];
    (arguments, not_followed(request, "Codex", &ignored))
}

pub(super) fn read(transcript: &mut Transcript, event: &Value) -> Option<String> {
    match event.get("type")?.as_str()? {
        "thread.started" => transcript.session = text(event, "/thread_id"),
        "item.completed" => return item(transcript, event),
        "turn.completed" => {
            let usage = Usage {
                input_tokens: count(event, "/usage/input_tokens"),
                output_tokens: count(event, "/usage/output_tokens"),
                reasoning_tokens: count(event, "/usage/reasoning_output_tokens"),
                cache_read_tokens: count(event, "/usage/cached_input_tokens"),
                ..Usage::default()
            };
            transcript.usage.add(&usage);
            transcript.error = None;
        }
        "turn.failed" => transcript.error = text(event, "/error/message"),
        "error" => transcript.error = text(event, "/message"),
        _ => {}
    }
    None
}

fn item(transcript: &mut Transcript, event: &Value) -> Option<String> {
    match event.pointer("/item/type")?.as_str()? {
        "agent_message" => {
            // Each message replaces the one before: the last one is the answer.
            transcript.text = text(event, "/item/text")?;
            Some(transcript.text.clone())
        }
        "error" => {
            transcript.warnings.extend(text(event, "/item/message"));
            None
        }
        _ => None,
    }
}
