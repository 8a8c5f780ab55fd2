//! `attractor complete`: one request to a model, as JSON on standard input.

use std::io::Read;
use std::sync::Arc;

use attractor::Providers;
use attractor_llm::middleware::TokenTrackingMiddleware;
use attractor_llm::{Client, Error as LlmError, ErrorKind, Request, StreamEvent};
use attractor_model::ModelName;
use attractor_models::{Catalogue, DeclaredModel};
use futures::StreamExt;
use serde_json::{Value, json};

use super::block_on;
use crate::configuration;
use crate::console;
use crate::error::Error;
use crate::exit::Exit;

/// Send one request to a model
///
/// Reads a request as JSON from standard input: `model`, `messages`, and optionally `provider`, `system_prompt`, `tools`,
/// `max_tokens`, `temperature`, `reasoning_effort`, `response_format`, `fallback_models` and others. Prints the response
/// as JSON with its `cost` in US dollars at list prices, or an object with `error` (exit code 1).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  echo '{\"model\": \"sonnet\", \"messages\": [{\"role\": \"user\", \"content\": \"Name a river.\"}]}' | attractor complete
  attractor complete --stream < request.json        an event per line, as it arrives")]
pub struct Complete {
    /// Print the events of the answer as they arrive, one JSON object per line
    #[arg(long)]
    stream: bool,
}

impl Complete {
    /// Sends the request and prints what comes back.
    pub fn run(self) -> Result<Exit, Error> {
        let mut text = String::new();
        std::io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map_err(|cause| Error::unreadable("<stdin>", cause))?;
        let here = std::env::current_dir().unwrap_or_default();
        let configuration = configuration::read(&here);
        let catalogue = Catalogue::shipped().with_all(&configuration.models().declared);
        let tracking = TokenTrackingMiddleware::new(Arc::new(catalogue));
        let providers = Providers::with_layers(&configuration, vec![Arc::new(tracking.clone())]);
        let prepared = request(&text).and_then(|request| {
            check_models(&request, &configuration.models().declared)?;
            let client = providers
                .client()
                .map_err(|reason| LlmError::new(ErrorKind::Configuration, reason))?;
            Ok((client, request))
        });
        let (client, request) = match prepared {
            Ok(prepared) => prepared,
            Err(error) if self.stream => return stream_failed(&error),
            Err(error) => return failed(&error),
        };
        block_on(async {
            if self.stream {
                stream(client, request).await
            } else {
                match client.complete(request).await {
                    Ok(response) => {
                        let mut value = serde_json::to_value(&response).unwrap_or_default();
                        add_reason(&mut value);
                        fill_usage(&mut value);
                        if let Value::Object(fields) = &mut value {
                            fields.remove("raw");
                            fields.extend(cost(&tracking));
                        }
                        console::json(&value)?;
                        Ok(Exit::Success)
                    }
                    Err(error) => failed(&error),
                }
            }
        })
    }
}

fn request(text: &str) -> Result<Request, LlmError> {
    let request: Request = serde_json::from_str(text).map_err(|error| {
        let message = format!("standard input is not a request: {error}");
        LlmError::new(ErrorKind::InvalidRequest, message)
    })?;
    request.validate()?;
    Ok(request)
}

/// Refuses names of models that are typos of others, as `run` does.
fn check_models(request: &Request, own: &[DeclaredModel]) -> Result<(), LlmError> {
    let provider = request.provider.as_deref();
    let mut names = std::iter::once(&request.model).chain(&request.fallback_models);
    let problem = names.find_map(|name| ModelName::of(name, provider, own).typo_problem(name));
    match problem {
        Some(problem) => Err(LlmError::new(ErrorKind::InvalidRequest, problem)),
        None => Ok(()),
    }
}

/// What the call cost, where the price of its model is known.
fn cost(tracking: &TokenTrackingMiddleware) -> Option<(String, Value)> {
    let totals = tracking.totals();
    (totals.calls_without_price == 0).then(|| ("cost".to_owned(), totals.cost.into()))
}

async fn stream(client: &Client, request: Request) -> Result<Exit, Error> {
    let mut events = match client.stream(request).await {
        Ok(events) => events,
        Err(error) => return stream_failed(&error),
    };
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => console::json_line(&event_value(&event))?,
            Err(error) => return stream_failed(&error),
        }
    }
    Ok(Exit::Success)
}

fn event_value(event: &StreamEvent) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    add_reason(&mut value);
    fill_usage(&mut value);
    value
}

/// The reason of `finish` also as `finish_reason`.
fn add_reason(value: &mut Value) {
    let reason = value.get("finish").and_then(|finish| finish.get("reason"));
    if let (Some(reason), Value::Object(fields)) = (reason.cloned(), value) {
        fields.insert("finish_reason".to_owned(), reason);
    }
}

/// Counts that the provider does not report are 0.
fn fill_usage(value: &mut Value) {
    if let Some(Value::Object(usage)) = value.get_mut("usage") {
        usage
            .values_mut()
            .filter(|count| count.is_null())
            .for_each(|count| *count = 0.into());
    }
}

fn failed(error: &LlmError) -> Result<Exit, Error> {
    console::json(&json!({"error": error_value(error)}))?;
    Ok(Exit::Failed)
}

fn stream_failed(error: &LlmError) -> Result<Exit, Error> {
    console::json_line(&json!({"type": "error", "error": error_value(error)}))?;
    Ok(Exit::Failed)
}

fn error_value(error: &LlmError) -> Value {
    let data = error.data();
    let mut value = json!({
        "kind": data.kind,
        "message": error.to_string(),
        "provider": data.provider,
        "retryable": error.is_retryable(),
    });
    let optional = [
        ("model", data.model.clone().map(Value::from)),
        ("status", data.status.map(Value::from)),
        ("code", data.code.clone().map(Value::from)),
        (
            "retry_after",
            data.retry_after.map(|wait| wait.as_secs_f64().into()),
        ),
    ];
    if let Value::Object(fields) = &mut value {
        fields.extend(
            optional
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?))),
        );
    }
    value
}
