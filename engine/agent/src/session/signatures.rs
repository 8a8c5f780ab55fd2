//! Reasoning that a provider signed and does not accept again: the conversation continues without it.

use attractor_llm::{ContentPart, Error, ErrorKind, Message};

/// Parts of messages by which providers refuse reasoning of earlier turns.
const REFUSALS: &[&str] = &[
    "signature",
    "encrypted_content",
    "encrypted content",
    "`thinking`",
];

/// Whether a provider refuses a request because of the reasoning in it.
pub(super) fn is_refused(error: &Error) -> bool {
    let message = error.data().message.to_ascii_lowercase();
    error.kind() == ErrorKind::InvalidRequest && REFUSALS.iter().any(|part| message.contains(part))
}

/// Removes the reasoning and its signatures; says whether there was any.
pub(super) fn remove(messages: &mut Vec<Message>) -> bool {
    let mut found = false;
    for message in messages.iter_mut() {
        message.content.retain_mut(|part| {
            let state = match part {
                ContentPart::Thinking(_) | ContentPart::RedactedThinking(_) => {
                    found = true;
                    return false;
                }
                ContentPart::Text(text) => &mut text.state,
                ContentPart::ToolCall(call) => &mut call.state,
                _ => return true,
            };
            found |= state.take().is_some();
            true
        });
    }
    messages.retain(|message| !message.content.is_empty());
    found
}
