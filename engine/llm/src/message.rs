//! Messages of a conversation.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::content::{ContentPart, ToolCallContent, ToolResultContent};
use crate::media::MediaSource;
use crate::usage::estimate_tokens;

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// Instructions of the application.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Results of tools.
    Tool,
    /// Instructions of the developer, below those of the system.
    Developer,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// Its parts; in JSON a text is enough.
    #[serde(deserialize_with = "parts_or_text")]
    pub content: Vec<ContentPart>,
}

/// A list of parts, or a text that is the only part.
fn parts_or_text<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ContentPart>, D::Error> {
    struct PartsOrText;

    impl<'de> Visitor<'de> for PartsOrText {
        type Value = Vec<ContentPart>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a text or a list of parts as `content`")
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![ContentPart::text(text)])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(parts))
        }
    }

    from.deserialize_any(PartsOrText)
}

impl Message {
    /// A message of parts.
    pub fn new(role: Role, content: Vec<ContentPart>) -> Self {
        Self { role, content }
    }

    /// Instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, vec![ContentPart::text(text)])
    }

    /// Text of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![ContentPart::text(text)])
    }

    /// Text of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, vec![ContentPart::text(text)])
    }

    /// The result of one tool call.
    pub fn tool_result(
        tool_call_id: impl Into<String>,
        content: impl Into<String>,
        is_error: bool,
    ) -> Self {
        let result = ToolResultContent {
            tool_call_id: tool_call_id.into(),
            content: content.into(),
            is_error,
            ..ToolResultContent::default()
        };
        Self::new(Role::Tool, vec![ContentPart::ToolResult(result)])
    }

    /// The texts of all text parts, joined.
    pub fn text(&self) -> String {
        self.content
            .iter()
            .filter_map(|part| match part {
                ContentPart::Text(text) => Some(text.text.as_str()),
                _ => None,
            })
            .collect()
    }

    /// The reasoning of all thinking parts, joined.
    pub fn thinking(&self) -> String {
        self.content
            .iter()
            .filter_map(|part| match part {
                ContentPart::Thinking(thinking) => Some(thinking.text.as_str()),
                _ => None,
            })
            .collect()
    }

    /// Why the model declines to answer, if it does.
    pub fn refusal(&self) -> Option<&str> {
        self.content.iter().find_map(|part| match part {
            ContentPart::Refusal(refusal) => Some(refusal.text.as_str()),
            _ => None,
        })
    }

    /// The tool calls, in order.
    pub fn tool_calls(&self) -> Vec<&ToolCallContent> {
        self.content
            .iter()
            .filter_map(|part| match part {
                ContentPart::ToolCall(call) => Some(call),
                _ => None,
            })
            .collect()
    }

    /// Whether it calls a tool.
    pub fn has_tool_calls(&self) -> bool {
        self.content
            .iter()
            .any(|part| matches!(part, ContentPart::ToolCall(_)))
    }

    /// The message without reasoning, which is valid only for the model that produced it.
    #[must_use]
    pub fn without_thinking(&self) -> Self {
        let is_thinking = |part: &&ContentPart| {
            matches!(
                part,
                ContentPart::Thinking(_) | ContentPart::RedactedThinking(_)
            )
        };
        let content = self
            .content
            .iter()
            .filter(|part| !is_thinking(part))
            .cloned()
            .collect();
        Self {
            role: self.role,
            content,
        }
    }
}

/// Tokens of an image, about: what providers count for one of usual size.
const IMAGE_TOKENS: u64 = 1_600;

/// About how many tokens messages are. The bytes of media are not counted as text.
pub fn estimate_message_tokens(messages: &[Message]) -> u64 {
    let text = serde_json::to_string(messages).unwrap_or_default();
    let parts = messages.iter().flat_map(|message| &message.content);
    let media = parts.flat_map(|part| match part {
        ContentPart::Image(media) => std::slice::from_ref(media),
        ContentPart::ToolResult(result) => result.media.as_slice(),
        _ => &[],
    });
    let encoded = media.filter_map(|media| match &media.source {
        MediaSource::Base64(data) => Some(estimate_tokens(data)),
        _ => None,
    });
    let (count, size) = encoded.fold((0, 0), |(count, size), tokens| (count + 1, size + tokens));
    let text = estimate_tokens(&text).saturating_sub(size);
    text.saturating_add(IMAGE_TOKENS.saturating_mul(count))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Message;

    #[test]
    fn content_is_a_text_or_a_list_of_parts() {
        let of_text = json!({"role": "user", "content": "hi"});
        let of_parts = json!({"role": "user", "content": [{"kind": "text", "text": "hi"}]});
        let read = |value| serde_json::from_value::<Message>(value);
        assert_eq!(read(of_text).unwrap(), read(of_parts).unwrap());
        let problem = |content| {
            let message = json!({"role": "user", "content": content});
            read(message).unwrap_err().to_string()
        };
        assert_eq!(
            problem(json!(3)),
            "invalid type: integer `3`, expected a text or a list of parts as `content`"
        );
        let part = problem(json!([{"type": "text", "text": "hi"}]));
        assert_eq!(part, "missing field `kind`");
    }
}
