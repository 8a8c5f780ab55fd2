//! Names and values of attributes: the semantic conventions for generative AI, and our own under `attractor.`.
//!
//! Prompts, answers, arguments and results are left out, as the conventions ask for.

use attractor_run::{AgentModelCall, ModelCall, NodeAttempt, Usage};
use opentelemetry::{Array, KeyValue, StringValue, Value};

/// `gen_ai.operation.name` of a run.
pub(crate) const INVOKE_WORKFLOW: &str = "invoke_workflow";
/// `gen_ai.operation.name` of an agent node.
pub(crate) const INVOKE_AGENT: &str = "invoke_agent";
/// `gen_ai.operation.name` of one call of a model.
pub(crate) const CHAT: &str = "chat";
/// `gen_ai.operation.name` of a tool call.
pub(crate) const EXECUTE_TOOL: &str = "execute_tool";

pub(crate) fn operation(name: &'static str) -> KeyValue {
    KeyValue::new("gen_ai.operation.name", name)
}

/// Why a span has failed.
pub(crate) fn error_type(class: impl Into<String>) -> KeyValue {
    KeyValue::new("error.type", class.into())
}

/// Where a node is in its run.
pub(crate) fn node(at: &NodeAttempt, kind: &str) -> Vec<KeyValue> {
    let mut all = vec![
        KeyValue::new("attractor.node.id", at.node.clone()),
        KeyValue::new("attractor.node.kind", kind.to_owned()),
        KeyValue::new("attractor.node.visit", i64::from(at.visit)),
    ];
    let places = [
        ("attractor.node.graph", &at.graph),
        ("attractor.node.branch", &at.branch),
    ];
    for (name, place) in places {
        all.extend(place.clone().map(|place| KeyValue::new(name, place)));
    }
    all
}

/// What a model or an agent was asked for, and what answered.
pub(crate) fn model_call(call: &ModelCall, usage: &Usage) -> Vec<KeyValue> {
    let mut all = vec![KeyValue::new("attractor.backend", call.backend.clone())];
    let texts = [
        (
            "gen_ai.provider.name",
            call.provider.as_deref().map(provider),
        ),
        ("gen_ai.request.model", call.model.as_deref()),
        ("gen_ai.response.model", call.model.as_deref()),
        ("gen_ai.response.id", call.response_id.as_deref()),
    ];
    for (name, text) in texts {
        all.extend(text.map(|text| KeyValue::new(name, text.to_owned())));
    }
    all.extend(call.finish_reason.as_deref().map(finish_reason));
    if let Some(status) = call.status {
        all.push(KeyValue::new(
            "http.response.status_code",
            i64::from(status),
        ));
    }
    if call.simulated.is_some() {
        all.push(KeyValue::new("attractor.simulated", true));
    }
    all.extend(used(usage));
    all
}

/// What one call of a model by an agent was, and what it used.
pub(crate) fn agent_model_call(call: &AgentModelCall) -> Vec<KeyValue> {
    let mut all = vec![
        KeyValue::new("gen_ai.provider.name", provider(&call.provider).to_owned()),
        KeyValue::new("gen_ai.request.model", call.model.clone()),
        KeyValue::new("gen_ai.response.model", call.model.clone()),
        finish_reason(&call.finish_reason),
    ];
    all.extend(used(&call.usage));
    all
}

fn finish_reason(reason: &str) -> KeyValue {
    let reasons = Array::String(vec![StringValue::from(reason.to_owned())]);
    KeyValue::new("gen_ai.response.finish_reasons", Value::Array(reasons))
}

/// Tokens and cost; nothing where nothing was used.
pub(crate) fn used(usage: &Usage) -> Vec<KeyValue> {
    if usage.is_zero() {
        return Vec::new();
    }
    let counts = [
        ("gen_ai.usage.input_tokens", usage.input_tokens),
        ("gen_ai.usage.output_tokens", usage.output_tokens),
        (
            "gen_ai.usage.reasoning.output_tokens",
            usage.reasoning_tokens,
        ),
        (
            "gen_ai.usage.cache_read.input_tokens",
            usage.cache_read_tokens,
        ),
        (
            "gen_ai.usage.cache_creation.input_tokens",
            usage.cache_write_tokens,
        ),
    ];
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    let counts = counts.map(|(name, count)| KeyValue::new(name, whole(count)));
    let cost = KeyValue::new("attractor.usage.cost_usd", usage.cost);
    counts.chain([cost]).collect()
}

/// A number as OpenTelemetry has them.
pub(crate) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Our name of a provider as the conventions have it.
fn provider(name: &str) -> &str {
    match name {
        "gemini" | "google" => "gcp.gemini",
        other => other,
    }
}
