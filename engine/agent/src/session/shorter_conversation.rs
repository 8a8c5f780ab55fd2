//! Puts a shorter conversation in the place of one: before a request that would not fit, and when a person wants it.

use attractor_llm::{Message, estimate_tokens};

use super::compaction::{compact, references, shorten_texts, tokens};
use super::worker::Worker;
use crate::event::AgentEventKind;

/// What part of a conversation is kept when a person wants it shorter: a quarter of its tokens.
const KEPT_PART: u64 = 4;

impl Worker {
    /// The size of what every request has besides the conversation, in tokens.
    pub(super) fn fixed_tokens(&self) -> u64 {
        let tools = serde_json::to_string(&self.definitions).unwrap_or_default();
        estimate_tokens(&self.system_prompt) + estimate_tokens(&tools)
    }

    /// Continues with the `shorter` conversation; what the calls it lacks were about stays known.
    pub(super) fn replace_conversation(&self, messages: &mut Vec<Message>, shorter: Vec<Message>) {
        let fixed = self.fixed_tokens();
        self.events.emit(AgentEventKind::Compacted {
            messages_before: messages.len(),
            messages_after: shorter.len(),
            tokens_before: fixed + tokens(messages),
            tokens_after: fixed + tokens(&shorter),
        });
        self.shared.add_references(references(messages));
        *messages = shorter;
        self.replace(messages);
    }

    /// Makes the conversation shorter because a person wants it. False if it cannot be.
    pub(super) fn compact_on_request(&self, messages: &mut Vec<Message>) -> bool {
        let before = tokens(messages);
        let limit = before / KEPT_PART;
        let shorter = compact(messages, limit).or_else(|| shorten_texts(messages, limit));
        let Some(shorter) = shorter.filter(|shorter| tokens(shorter) < before) else {
            return false;
        };
        self.replace_conversation(messages, shorter);
        true
    }
}
