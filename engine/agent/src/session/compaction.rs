//! Makes a conversation shorter before a request that would not fit into the model's context window.
//!
//! First old outputs of tools are shortened and old reasoning is left out; if that is not enough, the rounds after the
//! first message are left out, the oldest first. A tool call is never separated from its result, and the system prompt
//! is not part of the conversation.

use attractor_llm::{ContentPart, Message, Role, ToolCallContent, estimate_message_tokens};

use crate::session_note::LEFT_OUT;
use crate::shared::Reference;

/// How many of the latest messages stay as they are in the first stage.
const RECENT: usize = 8;

/// What is left of an old output, in characters.
const KEPT_OUTPUT: usize = 400;

/// A text that is shortened when nothing else helps, in characters.
const LONG_TEXT: usize = 200_000;

/// About how many tokens messages are.
pub(super) fn tokens(messages: &[Message]) -> u64 {
    estimate_message_tokens(messages)
}

/// The conversation in about `limit` tokens; none if it is shorter already, or cannot be made shorter.
pub(super) fn compact(messages: &[Message], limit: u64) -> Option<Vec<Message>> {
    let before = tokens(messages);
    if before <= limit {
        return None;
    }
    let recent = messages.len().saturating_sub(RECENT);
    let mut shorter: Vec<Message> = messages
        .iter()
        .enumerate()
        .map(|(index, message)| match index {
            index if index >= recent => message.clone(),
            _ => without_details(message),
        })
        .collect();
    if tokens(&shorter) > limit {
        shorter = without_rounds(&shorter, limit);
    }
    (tokens(&shorter) < before).then_some(shorter)
}

/// The arguments that name what a call is about.
const SUBJECTS: [&str; 4] = ["path", "file_path", "pattern", "command"];

/// What the tool calls of a conversation are about: it stays known when the conversation becomes shorter.
pub(super) fn references(messages: &[Message]) -> Vec<Reference> {
    let calls = messages.iter().flat_map(Message::tool_calls);
    let reference = |call: &ToolCallContent| {
        let mut subjects = SUBJECTS.iter();
        let value = subjects.find_map(|name| call.arguments.get(*name)?.as_str())?;
        Some(Reference {
            kind: call.tool_name.clone(),
            value: value.lines().next().unwrap_or_default().to_owned(),
        })
    };
    calls.filter_map(reference).collect()
}

/// A message without reasoning, its outputs shortened.
fn without_details(message: &Message) -> Message {
    let mut message = message.without_thinking();
    for part in &mut message.content {
        let ContentPart::ToolResult(result) = part else {
            continue;
        };
        if !result.media.is_empty() {
            result.media.clear();
            result
                .content
                .push_str("\n[the image was removed to save space]");
        }
        let count = result.content.chars().count();
        if count > 2 * KEPT_OUTPUT {
            let head: String = result.content.chars().take(KEPT_OUTPUT).collect();
            let removed = count - KEPT_OUTPUT;
            result.content = format!("{head}\n[{removed} characters removed to save space]");
        }
    }
    message
}

/// The conversation with the middle of its long texts left out, so that it is about `limit` tokens; none if it has no
/// long texts. For conversations whose rounds cannot be left out: a task, an answer or an output longer than the window.
pub(super) fn shorten_texts(messages: &[Message], limit: u64) -> Option<Vec<Message>> {
    let before = tokens(messages);
    let mut kept = LONG_TEXT;
    while kept >= KEPT_OUTPUT {
        let shorter: Vec<Message> = messages
            .iter()
            .map(|message| with_short_texts(message, kept))
            .collect();
        let fits = tokens(&shorter) <= limit;
        if fits || (kept / 2 < KEPT_OUTPUT && tokens(&shorter) < before) {
            return Some(shorter);
        }
        kept /= 2;
    }
    None
}

fn with_short_texts(message: &Message, kept: usize) -> Message {
    let mut message = message.without_thinking();
    for part in &mut message.content {
        match part {
            ContentPart::Text(text) => shorten(&mut text.text, kept),
            ContentPart::ToolResult(result) => {
                shorten(&mut result.content, kept);
                result.media.clear();
            }
            _ => {}
        }
    }
    message
}

/// Leaves out the middle of a text of more than that many characters.
fn shorten(text: &mut String, kept: usize) {
    let count = text.chars().count();
    if count <= kept {
        return;
    }
    let head: String = text.chars().take(kept / 2).collect();
    let tail: String = text.chars().skip(count - kept / 2).collect();
    let removed = count - kept / 2 * 2;
    *text = format!("{head}\n[{removed} characters removed to save space]\n{tail}");
}

/// The first message, a note, and the latest rounds that fit.
fn without_rounds(messages: &[Message], limit: u64) -> Vec<Message> {
    let Some(first) = messages.first() else {
        return Vec::new();
    };
    // A round begins with what is not the result of a call.
    let starts = (1..messages.len()).filter(|index| {
        let message = messages.get(*index);
        message.is_some_and(|message| message.role != Role::Tool)
    });
    let with_rest = |start: usize| {
        let note = format!(
            "[{}{LEFT_OUT} The files have what was done in them.]",
            start - 1
        );
        let mut whole = vec![first.clone(), Message::user(note)];
        whole.extend(messages.iter().skip(start).cloned());
        whole
    };
    let mut shortest = None;
    for start in starts.filter(|start| *start > 1) {
        let whole = with_rest(start);
        if tokens(&whole) <= limit {
            return whole;
        }
        shortest = Some(whole);
    }
    shortest.unwrap_or_else(|| messages.to_vec())
}

#[cfg(test)]
mod tests {
    use attractor_llm::{ThinkingContent, ToolCallContent};

    use super::*;

    /// The task, then rounds of a call with reasoning and its result of that many characters.
    fn conversation(rounds: usize, characters: usize) -> Vec<Message> {
        let mut messages = vec![Message::user("the task")];
        for round in 0..rounds {
            let id = format!("c{round}");
            let thinking = ThinkingContent {
                text: "hm".to_owned(),
                ..ThinkingContent::default()
            };
            messages.push(Message::new(
                Role::Assistant,
                vec![
                    ContentPart::Thinking(thinking),
                    ContentPart::ToolCall(ToolCallContent::parse(&id, "read", "{}")),
                ],
            ));
            messages.push(Message::tool_result(&id, "x".repeat(characters), false));
        }
        messages
    }

    fn check_pairs(messages: &[Message]) {
        let mut open = Vec::new();
        for message in messages {
            for part in &message.content {
                if let ContentPart::ToolResult(result) = part {
                    let index = open.iter().position(|id| *id == result.tool_call_id);
                    open.remove(index.expect("a result without its call"));
                }
            }
            let calls = message.tool_calls().into_iter();
            open.extend(calls.map(|call| call.tool_call_id.clone()));
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_conversation_that_fits_is_not_changed() {
        assert_eq!(compact(&conversation(3, 100), 100_000), None);
    }

    #[test]
    fn old_outputs_are_shortened_first() {
        let messages = conversation(10, 4_000);
        let shorter = compact(&messages, 8_000).unwrap();
        assert_eq!(shorter.len(), messages.len());
        assert!(tokens(&shorter) <= 8_000);
        assert!(shorter[2].text().is_empty() && shorter[1].content.len() == 1);
        assert_eq!(shorter[20], messages[20]);
        assert_eq!(shorter[19], messages[19]);
        check_pairs(&shorter);
    }

    #[test]
    fn long_texts_are_shortened_where_there_are_no_rounds() {
        let long = format!("begin{}end", "x".repeat(400_000));
        let messages = vec![Message::user(long.clone()), Message::assistant(long)];
        let shorter = shorten_texts(&messages, 10_000).unwrap();
        assert!(tokens(&shorter) <= 10_000, "{}", tokens(&shorter));
        for message in &shorter {
            let text = message.text();
            assert!(text.starts_with("begin") && text.ends_with("end"), "{text}");
        }
        assert_eq!(shorten_texts(&[Message::user("short")], 1), None);
    }

    #[test]
    fn then_old_rounds_are_left_out() {
        let messages = conversation(60, 2_000);
        let shorter = compact(&messages, 4_000).unwrap();
        assert!(tokens(&shorter) <= 4_000, "{}", tokens(&shorter));
        assert_eq!(shorter[0].text(), "the task");
        assert!(shorter[1].text().contains("messages were left out"));
        assert_eq!(shorter.last(), messages.last());
        check_pairs(&shorter);
    }
}
