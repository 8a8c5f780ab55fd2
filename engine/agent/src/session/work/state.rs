//! The state of the work on one input.

use attractor_llm::Message;

use crate::budget::Budget;
use crate::loop_detection::LoopGuard;
use crate::session::completion::{Completion, Ending};
use crate::session::worker::Worker;

/// What follows a turn.
pub(super) enum Next {
    Turn,
    End(Ending),
}

/// The work on one input.
pub(super) struct Work<'w> {
    pub(super) worker: &'w Worker,
    pub(super) messages: &'w mut Vec<Message>,
    /// The account of this input.
    pub(super) budget: Budget,
    /// The output limit, once it was raised because an answer was cut off.
    pub(super) raised: Option<u64>,
    /// Answers in a row that were cut off.
    pub(super) cut: u32,
    /// Answers in a row that were empty.
    pub(super) empty: u32,
    /// Answers in a row that the provider paused.
    pub(super) paused: u32,
    /// The size of the context window, once a provider refused a longer conversation.
    pub(super) window: Option<u64>,
    /// The beginning of an answer that was cut off and is continued.
    pub(super) unfinished: String,
    pub(super) guard: LoopGuard,
    pub(super) completion: Completion,
}
