//! An earlier conversation as updates, for a client that opens the session again. Pure.

use std::path::Path;

use agent_client_protocol::v1::schema::{SessionUpdate, ToolCallStatus};
use attractor_llm::{ContentPart, Message, Role};
use serde_json::Value;

use crate::updates::{chunk, ended, started};

/// The updates that draw a conversation.
pub(crate) fn updates(messages: &[Message], folder: &Path) -> Vec<SessionUpdate> {
    let parts = messages
        .iter()
        .flat_map(|message| message.content.iter().map(move |part| (message.role, part)));
    parts
        .filter_map(|(role, part)| match (role, part) {
            (Role::User, ContentPart::Text(text)) => {
                Some(SessionUpdate::UserMessageChunk(chunk(text.text.clone())))
            }
            (Role::Assistant, ContentPart::Text(text)) => {
                Some(SessionUpdate::AgentMessageChunk(chunk(text.text.clone())))
            }
            (_, ContentPart::ToolCall(call)) => {
                let arguments = Value::Object(call.arguments.clone());
                let call = started(&call.tool_call_id, &call.tool_name, arguments, folder);
                let call = call.status(ToolCallStatus::InProgress);
                Some(SessionUpdate::ToolCall(call))
            }
            (_, ContentPart::ToolResult(result)) => {
                let content = result.content.clone();
                let update = ended(&result.tool_call_id, content, result.is_error);
                Some(SessionUpdate::ToolCallUpdate(update))
            }
            _ => None,
        })
        .collect()
}
