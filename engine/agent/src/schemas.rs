//! The JSON Schema of what a session reports, from the types themselves.

use attractor_llm::TokenUsage;
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde::Serialize;
use serde_json::Value;

use crate::AgentEvent;

/// Tokens of one call of the model.
#[derive(JsonSchema, Serialize)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Usage {
    /// All input, cached or not.
    input_tokens: u64,
    /// All output, reasoning included.
    output_tokens: u64,
    /// The part of the output that is reasoning, if the provider reports it.
    reasoning_tokens: Option<u64>,
    /// The part of the input that was read from a cache, if the provider reports it.
    cache_read_tokens: Option<u64>,
    /// The part of the input that was written to a cache, if the provider reports it.
    cache_write_tokens: Option<u64>,
    /// The part of `cache_write_tokens` that is kept for an hour, if the provider reports it.
    cache_write_1h_tokens: Option<u64>,
    /// Whether a part of it is an estimate, because a stream ended before the provider reported its usage.
    estimated: bool,
}

/// The schema of what a type is written as.
fn schema<T: JsonSchema>(title: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    schema.insert("title".to_owned(), Value::from(title));
    schema.to_value()
}

#[test]
fn the_schemas_are_fresh() {
    let event = schema::<AgentEvent>("a line of attractor agent --format events");
    let event = format!("{event:#}\n");
    attractor_tests::fresh("docs/reference/schemas/agent-event.schema.json", &event);
}

#[test]
fn the_schema_of_usage_is_that_of_its_type() {
    let validator = jsonschema::validator_for(&schema::<Usage>("usage")).unwrap();
    let usage = serde_json::to_value(TokenUsage::default()).unwrap();
    assert!(validator.is_valid(&usage), "{usage}");
}
