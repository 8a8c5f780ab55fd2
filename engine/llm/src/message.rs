//! Messages of a conversation.

use serde::{Deserialize, Deserializer, Serialize};

use crate::content::{ContentPart, ToolCallContent, ToolResultContent};

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Content {
        Text(String),
        Parts(Vec<ContentPart>),
    }
    Ok(match Content::deserialize(from)? {
        Content::Text(text) => vec![ContentPart::text(text)],
        Content::Parts(parts) => parts,
    })
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
