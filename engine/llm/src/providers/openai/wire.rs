//! The JSON of the Responses API.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Serialize)]
pub(super) struct Request {
    pub(super) model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instructions: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<Tool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<ToolChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parallel_tool_calls: Option<bool>,
    pub(super) input: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reasoning: Option<Reasoning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<TextConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) include: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt_cache_key: Option<String>,
    pub(super) store: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stream_options: Option<StreamOptions>,
}

#[derive(Debug, Serialize)]
pub(super) struct StreamOptions {
    pub(super) include_obfuscation: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Reasoning {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct TextConfig {
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Format {
    JsonObject,
    JsonSchema {
        name: String,
        schema: Value,
        strict: bool,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Tool {
    /// Flat, unlike that of Chat Completions.
    Function {
        name: String,
        description: String,
        parameters: Value,
        strict: bool,
    },
    Custom {
        name: String,
        description: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        format: Option<Grammar>,
    },
}

#[derive(Debug, Serialize)]
pub(super) struct Grammar {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) syntax: &'static str,
    pub(super) definition: String,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ToolChoice {
    Mode(&'static str),
    Named {
        #[serde(rename = "type")]
        kind: &'static str,
        name: String,
    },
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Item {
    Message(Message),
    Known(KnownItem),
    /// An item of an answer, repeated as it came.
    Raw(Value),
}

#[derive(Debug, Serialize)]
pub(super) struct Message {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) role: &'static str,
    pub(super) content: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) phase: Option<Value>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Parts(Vec<InputPart>),
}

#[expect(clippy::enum_variant_names, reason = "the names of the API")]
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum InputPart {
    InputText {
        text: String,
    },
    InputImage {
        detail: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        image_url: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_id: Option<String>,
    },
    InputFile {
        #[serde(skip_serializing_if = "Option::is_none")]
        filename: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_data: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_url: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        file_id: Option<String>,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum KnownItem {
    FunctionCall {
        call_id: String,
        name: String,
        arguments: String,
    },
    FunctionCallOutput {
        call_id: String,
        output: Content,
    },
    CustomToolCall {
        call_id: String,
        name: String,
        input: String,
    },
    CustomToolCallOutput {
        call_id: String,
        output: Content,
    },
}

/// A response; also what the events of its beginning and end hold.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) status: Option<String>,
    pub(super) output: Vec<Value>,
    pub(super) error: Option<ApiError>,
    pub(super) incomplete_details: Option<IncompleteDetails>,
    pub(super) usage: Option<Usage>,
    pub(super) service_tier: Option<Value>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct IncompleteDetails {
    pub(super) reason: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage {
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) input_tokens_details: Option<InputDetails>,
    pub(super) output_tokens_details: Option<OutputDetails>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct InputDetails {
    pub(super) cached_tokens: Option<u64>,
    pub(super) cache_write_tokens: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct OutputDetails {
    pub(super) reasoning_tokens: Option<u64>,
}

/// An error, in an error's body, in a failed response, and in an `error` event.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct ApiError {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    /// A word, but some servers send a number.
    pub(super) code: Option<Value>,
    pub(super) message: Option<String>,
    pub(super) param: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
pub(super) enum Event {
    #[serde(rename = "response.created")]
    Created { response: Answer },
    #[serde(rename = "response.output_item.added")]
    ItemAdded { output_index: usize, item: Value },
    #[serde(rename = "response.output_item.done")]
    ItemDone { output_index: usize, item: Value },
    #[serde(rename = "response.output_text.delta")]
    TextDelta {
        output_index: usize,
        #[serde(default)]
        content_index: usize,
        delta: String,
    },
    #[serde(rename = "response.output_text.done")]
    TextDone {
        output_index: usize,
        #[serde(default)]
        content_index: usize,
        text: String,
    },
    #[serde(rename = "response.reasoning_summary_part.added")]
    SummaryPartAdded {
        output_index: usize,
        summary_index: usize,
    },
    #[serde(
        rename = "response.reasoning_summary_text.delta",
        alias = "response.reasoning_text.delta"
    )]
    ReasoningDelta { output_index: usize, delta: String },
    #[serde(
        rename = "response.function_call_arguments.delta",
        alias = "response.custom_tool_call_input.delta"
    )]
    ArgumentsDelta { output_index: usize, delta: String },
    #[serde(rename = "response.completed")]
    Completed { response: Answer },
    #[serde(rename = "response.incomplete")]
    Incomplete { response: Answer },
    #[serde(rename = "response.failed")]
    Failed { response: Answer },
    #[serde(other)]
    Other,
}
