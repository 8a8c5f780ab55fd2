//! A conversation with a model as lines for people.

use attractor_agent::{ToolCallStart, is_session_note};
use attractor_exec::Redactor;
use attractor_llm::{ContentPart, Message, Role};
use serde_json::Value;

use super::markdown::render;
use super::markdown_inline::Styles;
use crate::console::plain;
use crate::style::{FAINT, STRONG, paint};

/// The lines of a conversation, without secrets and control characters, in about `columns`: what a person said, what the
/// model answered, and the calls it made.
pub fn lines(
    messages: &[Message],
    columns: usize,
    styles: Styles,
    redactor: &Redactor,
) -> Vec<String> {
    let clean = |text: &str| plain(&redactor.text(text)).into_owned();
    let mut lines = Vec::new();
    for message in messages {
        let text = clean(message.text().trim_end());
        match message.role {
            Role::User if is_session_note(message) => {
                let note = text.lines().next().unwrap_or_default();
                lines.push(paint(FAINT, note));
            }
            Role::User => {
                for (index, line) in text.lines().enumerate() {
                    let lead = if index == 0 { "> " } else { "  " };
                    lines.push(paint(STRONG, format!("{lead}{line}")));
                }
            }
            Role::Assistant => {
                let text = render(&text, columns, styles);
                lines.extend(text.trim_matches('\n').lines().map(str::to_owned));
            }
            _ => {}
        }
        for part in &message.content {
            let ContentPart::ToolCall(call) = part else {
                continue;
            };
            let call = ToolCallStart {
                tool_name: call.tool_name.clone(),
                tool_call_id: String::new(),
                arguments: Value::Object(call.arguments.clone()),
            };
            let subject = redactor.text(&call.subject()).into_owned();
            let subject = plain(subject.lines().next().unwrap_or_default()).into_owned();
            lines.push(paint(FAINT, format!("→ {} {subject}", call.tool_name)));
        }
    }
    lines
}
