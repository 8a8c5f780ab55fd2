//! What is sent to a model.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use attractor_models::Effort;

use crate::error::{Error, ErrorKind};
use crate::message::{Message, estimate_message_tokens};
use crate::redact::Redactor;
use crate::retry::{OnRateLimit, RetryPolicy};
use crate::tool::{ToolChoice, ToolDefinition};
use crate::usage::estimate_tokens;

/// A request to a model.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    /// The model: an id or an alias of the catalogue, or any name the provider knows.
    pub model: String,
    /// The provider; found by the model where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Instructions, before all messages.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub system_prompt: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// Tools the model may call. Their order is part of the cached prefix: keep it the same within a session.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolDefinition>,
    /// Whether it must call one.
    pub tool_choice: ToolChoice,
    /// Whether it may call several tools at once; the provider's default where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Most tokens of output, reasoning included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Sampling temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Texts that end the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
    /// How much the model reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<Effort>,
    /// The form of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// Groups requests that share a prefix, for prompt caching; a session's id is a good value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_key: Option<String>,
    /// Models to call instead while this one is not available, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback_models: Vec<String>,
    /// Most retries of a transient failure, where that is not what the client's policy says. Not part of what is
    /// recorded of a request.
    #[serde(skip_serializing)]
    pub max_retries: Option<u32>,
    /// When failures are retried, where that is not what the client's policy says.
    #[serde(skip)]
    pub retry: Option<RetryPolicy>,
    /// What to do when a provider limits the rate of requests, where that is not what the policy says.
    #[serde(skip)]
    pub on_rate_limit: Option<OnRateLimit>,
    /// Whether the model is asked to show its reasoning, where it does so only on request. Not part of what is recorded
    /// of a request.
    #[serde(skip_serializing)]
    pub show_reasoning: bool,
    /// Data for middleware; never sent.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// Fields of a provider's own API, by provider id; merged into the body as they are.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub provider_options: IndexMap<String, Map<String, Value>>,
    /// Masks the secrets of the caller where a call is recorded; never in what is sent.
    #[serde(skip)]
    pub redactor: Redactor,
    /// Ends the call with [`ErrorKind::Cancelled`] and closes its connection.
    #[serde(skip)]
    pub cancel: CancellationToken,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResponseFormat {
    /// Any JSON.
    #[serde(alias = "json_object")]
    Json,
    /// JSON that fits a schema.
    JsonSchema {
        /// A name for the schema; `response` where JSON has none.
        #[serde(default = "usual_schema_name")]
        name: String,
        /// The schema; its root is an object.
        schema: Value,
        /// Whether the provider must ensure the fit; true where JSON does not say.
        #[serde(default = "is_strict")]
        strict: bool,
    },
}

fn usual_schema_name() -> String {
    "response".to_owned()
}

const fn is_strict() -> bool {
    true
}

impl Request {
    /// A request of messages.
    pub fn new(model: impl Into<String>, messages: impl IntoIterator<Item = Message>) -> Self {
        Self {
            model: model.into(),
            messages: messages.into_iter().collect(),
            ..Self::default()
        }
    }

    /// A request of one text.
    pub fn prompt(model: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self::new(model, [Message::user(prompt)])
    }

    /// Finds what no provider accepts, before anything is sent.
    pub fn validate(&self) -> Result<(), Error> {
        let invalid = |message: String| Err(Error::new(ErrorKind::InvalidRequest, message));
        if self.model.trim().is_empty() {
            return invalid("the request names no model; set `model`".to_owned());
        }
        if self.messages.is_empty() {
            return invalid(
                "the request has no messages; add at least one user message".to_owned(),
            );
        }
        for (index, tool) in self.tools.iter().enumerate() {
            if !tool.has_valid_name() {
                return invalid(format!(
                    "invalid tool name `{}`; expected a letter or `_`, then at most 63 letters, digits, `_` or `-`",
                    tool.name
                ));
            }
            if self
                .tools
                .iter()
                .take(index)
                .any(|other| other.name == tool.name)
            {
                return invalid(format!(
                    "two tools are named `{}`; names of tools must be unique",
                    tool.name
                ));
            }
        }
        match &self.tool_choice {
            ToolChoice::Tool(name) if !self.tools.iter().any(|tool| tool.name == *name) => {
                let message = format!(
                    "`tool_choice` names the tool `{name}`, which the request does not define"
                );
                Err(Error::new(ErrorKind::UnsupportedToolChoice, message))
            }
            ToolChoice::Required if self.tools.is_empty() => Err(Error::new(
                ErrorKind::UnsupportedToolChoice,
                "`tool_choice` requires a tool call, but the request defines no tools".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    /// About how many tokens of input it is.
    pub fn estimated_tokens(&self) -> u64 {
        let tools = serde_json::to_string(&self.tools).unwrap_or_default();
        estimate_message_tokens(&self.messages)
            + estimate_tokens(&tools)
            + estimate_tokens(&self.system_prompt)
    }

    /// The options for that provider.
    pub(crate) fn options_of(&self, provider: &str) -> Option<&Map<String, Value>> {
        self.provider_options.get(provider)
    }
}
