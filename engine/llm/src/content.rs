//! What a message is made of: text, media, tool calls and their results, reasoning.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::media::MediaContent;

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentPart {
    /// Text.
    Text(TextContent),
    /// A still image.
    Image(MediaContent),
    /// Sound.
    Audio(MediaContent),
    /// A document, such as a PDF.
    Document(MediaContent),
    /// A call of a tool, by the model.
    ToolCall(ToolCallContent),
    /// The result of a tool call.
    ToolResult(ToolResultContent),
    /// Reasoning of the model.
    Thinking(ThinkingContent),
    /// Reasoning that the provider hides; replayed, never shown.
    RedactedThinking(RedactedThinkingContent),
    /// The model declines to answer.
    Refusal(RefusalContent),
    /// A block only its provider understands, such as the result of a tool the provider runs itself.
    Native(NativeContent),
}

/// Text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// What the provider needs to see again, such as a phase or a signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ProviderState>,
}

/// A call of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCallContent {
    /// What the result refers to.
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
    /// The arguments; empty if [`arguments_json`](Self::arguments_json) is not a JSON object.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The arguments as the model wrote them; for a freeform tool, its input.
    #[serde(default)]
    pub arguments_json: String,
    /// Why `arguments_json` could not be read. Such a call must not be executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// Whether it calls a freeform tool, whose input is text instead of JSON.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub freeform: bool,
    /// What the provider needs to see again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ProviderState>,
}

impl ToolCallContent {
    /// A call with its arguments as the model wrote them. No text at all means no arguments.
    pub fn parse(id: impl Into<String>, name: impl Into<String>, json: impl Into<String>) -> Self {
        let json = json.into();
        let (arguments, invalid) = match serde_json::from_str::<Value>(&json) {
            _ if json.trim().is_empty() => (Map::new(), None),
            Ok(Value::Object(arguments)) => (arguments, None),
            Ok(other) => (
                Map::new(),
                Some(format!(
                    "expected a JSON object, found {}",
                    json_kind(&other)
                )),
            ),
            Err(error) => (Map::new(), Some(error.to_string())),
        };
        Self {
            tool_call_id: id.into(),
            tool_name: name.into(),
            arguments,
            arguments_json: json,
            invalid,
            ..Self::default()
        }
    }

    /// A call of a freeform tool; the input is also the argument `input`.
    pub fn freeform(
        id: impl Into<String>,
        name: impl Into<String>,
        input: impl Into<String>,
    ) -> Self {
        let input = input.into();
        let arguments = Map::from_iter([("input".to_owned(), Value::String(input.clone()))]);
        Self {
            tool_call_id: id.into(),
            tool_name: name.into(),
            arguments,
            arguments_json: input,
            freeform: true,
            ..Self::default()
        }
    }
}

/// The result of a tool call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResultContent {
    /// The call it answers.
    pub tool_call_id: String,
    /// The tool that was called; found by the id where it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool_name: String,
    /// The result as text.
    pub content: String,
    /// Images and documents that belong to the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<MediaContent>,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
}

/// Reasoning.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ThinkingContent {
    /// The reasoning or its summary; may be empty although there is a signature.
    pub text: String,
    /// The provider's proof that the text is the model's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// What the provider needs to see again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ProviderState>,
}

/// Reasoning that the provider hides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RedactedThinkingContent {
    /// The encrypted reasoning.
    pub data: String,
    /// What the provider needs to see again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ProviderState>,
}

/// The model declines to answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RefusalContent {
    /// What it says about it.
    pub text: String,
    /// What the provider needs to see again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ProviderState>,
}

/// A block only its provider understands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NativeContent {
    /// The provider's name for it.
    pub block: String,
    /// The block, replayed as it is to the same provider.
    pub state: ProviderState,
}

/// Data that a provider gave with a part and needs to see again, unchanged. Other providers and, for signatures,
/// other models never see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderState {
    /// The provider.
    pub provider: String,
    /// The model that produced the part.
    pub model: String,
    /// The data; only the provider's adapter reads it.
    pub data: Value,
}

impl ProviderState {
    /// The data, if it came from that provider.
    pub fn of_provider(&self, provider: &str) -> Option<&Value> {
        (self.provider == provider).then_some(&self.data)
    }

    /// The data, if it came from that provider and model.
    pub fn of_model(&self, provider: &str, model: &str) -> Option<&Value> {
        self.of_provider(provider)
            .filter(|_| same_model(&self.model, model))
    }
}

/// Whether two names are the same model: `claude-x` and its dated snapshot `claude-x-20260101` are.
fn same_model(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    long.strip_prefix(short).is_some_and(|rest| {
        let date: Vec<char> = rest.chars().filter(|c| *c != '-').collect();
        rest.is_empty()
            || (rest.starts_with('-') && date.len() == 8 && date.iter().all(char::is_ascii_digit))
    })
}

impl ContentPart {
    /// Text without anything else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            state: None,
        })
    }

    /// The name of its kind, as in its JSON form.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Audio(_) => "audio",
            Self::Document(_) => "document",
            Self::ToolCall(_) => "tool_call",
            Self::ToolResult(_) => "tool_result",
            Self::Thinking(_) => "thinking",
            Self::RedactedThinking(_) => "redacted_thinking",
            Self::Refusal(_) => "refusal",
            Self::Native(_) => "native",
        }
    }

    /// What the provider needs to see again.
    pub const fn state(&self) -> Option<&ProviderState> {
        match self {
            Self::Text(part) => part.state.as_ref(),
            Self::ToolCall(part) => part.state.as_ref(),
            Self::Thinking(part) => part.state.as_ref(),
            Self::RedactedThinking(part) => part.state.as_ref(),
            Self::Refusal(part) => part.state.as_ref(),
            Self::Native(part) => Some(&part.state),
            Self::Image(_) | Self::Audio(_) | Self::Document(_) | Self::ToolResult(_) => None,
        }
    }
}

/// Media is an image, a sound or a document by its type.
impl From<MediaContent> for ContentPart {
    fn from(media: MediaContent) -> Self {
        match media.media_type.split('/').next() {
            Some("image") => Self::Image(media),
            Some("audio") => Self::Audio(media),
            _ => Self::Document(media),
        }
    }
}

fn json_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_no_json_object_are_marked_invalid() {
        let cases = [
            ("", None),
            ("{}", None),
            ("{\"a\":1}", None),
            ("{\"a\":", Some(())),
            ("[1]", Some(())),
        ];
        for (json, invalid) in cases {
            let call = ToolCallContent::parse("id", "f", json);
            assert_eq!(call.invalid.is_some(), invalid.is_some(), "{json}");
            assert_eq!(call.arguments_json, json);
        }
    }

    #[test]
    fn a_dated_snapshot_is_the_same_model() {
        assert!(same_model("claude-haiku-4-5", "claude-haiku-4-5-20251001"));
        assert!(same_model("gpt-5.5-2026-04-23", "gpt-5.5"));
        assert!(same_model("a", "a"));
        assert!(!same_model("gpt-5.4", "gpt-5.4-mini"));
        assert!(!same_model("claude-opus-5", "claude-opus-5-5"));
    }
}
