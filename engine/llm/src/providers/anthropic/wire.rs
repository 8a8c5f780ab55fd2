//! The JSON of the Messages API.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Serialize)]
pub(super) struct Request {
    pub(super) model: String,
    pub(super) max_tokens: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<Tool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_choice: Option<ToolChoice>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) system: Vec<Block>,
    pub(super) messages: Vec<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "OutputConfig::is_empty")]
    pub(super) output_config: OutputConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) stop_sequences: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache_control: Option<CacheControl>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) stream: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub(super) role: &'static str,
    pub(super) content: Vec<Block>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Block {
    Known(KnownBlock),
    /// A block of an answer, repeated as it came.
    Raw(Value),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum KnownBlock {
    Text {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    Image {
        source: Source,
    },
    Document {
        source: Source,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    ToolUse {
        id: String,
        name: String,
        input: Map<String, Value>,
    },
    ToolResult {
        tool_use_id: String,
        content: Vec<Block>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    Thinking {
        thinking: String,
        signature: String,
    },
    RedactedThinking {
        data: String,
    },
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Source {
    Base64 {
        media_type: String,
        data: String,
    },
    Text {
        media_type: &'static str,
        data: String,
    },
    Url {
        url: String,
    },
    File {
        file_id: String,
    },
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct CacheControl {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) input_schema: Value,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) strict: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cache_control: Option<CacheControl>,
}

#[derive(Debug, Serialize)]
pub(super) struct ToolChoice {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) disable_parallel_tool_use: bool,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Thinking {
    Adaptive,
    Enabled { budget_tokens: u64 },
    Disabled,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct OutputConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<OutputFormat>,
}

impl OutputConfig {
    const fn is_empty(&self) -> bool {
        self.effort.is_none() && self.format.is_none()
    }
}

#[derive(Debug, Serialize)]
pub(super) struct OutputFormat {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) schema: Value,
}

/// An answer; also what `message_start` holds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) content: Vec<Value>,
    pub(super) stop_reason: Option<String>,
    pub(super) stop_sequence: Option<String>,
    pub(super) stop_details: Option<Value>,
    pub(super) usage: Usage,
}

/// Every field is optional: `message_delta` repeats only some, and cumulatively.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage {
    pub(super) input_tokens: Option<u64>,
    pub(super) output_tokens: Option<u64>,
    pub(super) cache_creation_input_tokens: Option<u64>,
    pub(super) cache_read_input_tokens: Option<u64>,
    pub(super) cache_creation: Option<CacheCreation>,
    pub(super) output_tokens_details: Option<OutputDetails>,
    pub(super) server_tool_use: Option<Value>,
    pub(super) service_tier: Option<Value>,
    pub(super) speed: Option<Value>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct CacheCreation {
    pub(super) ephemeral_1h_input_tokens: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct OutputDetails {
    pub(super) thinking_tokens: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Event {
    MessageStart {
        message: Answer,
    },
    ContentBlockStart {
        index: usize,
        content_block: Value,
    },
    ContentBlockDelta {
        index: usize,
        delta: Value,
    },
    ContentBlockStop {
        index: usize,
    },
    MessageDelta {
        #[serde(default)]
        delta: MessageDelta,
        #[serde(default)]
        usage: Option<Usage>,
    },
    MessageStop,
    Error {
        error: ApiError,
    },
    #[serde(other)]
    Other,
}

#[expect(clippy::struct_field_names, reason = "the names of the API")]
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageDelta {
    pub(super) stop_reason: Option<String>,
    pub(super) stop_sequence: Option<String>,
    pub(super) stop_details: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorBody {
    pub(super) error: ApiError,
    pub(super) request_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ApiError {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) message: String,
    pub(super) details: Option<ErrorDetails>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorDetails {
    pub(super) error_code: Option<String>,
}
