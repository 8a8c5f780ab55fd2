//! The output of a running tool, as events.

use std::sync::{Mutex, PoisonError};

use crate::event::{AgentEventKind, EventEmitter};
use crate::tool::ToolOutput;

/// Publishes output while a tool runs, as much as the model would receive.
pub(super) struct Deltas {
    pub(super) events: EventEmitter,
    pub(super) call: String,
    /// The characters that may still be published.
    pub(super) left: Mutex<usize>,
}

impl ToolOutput for Deltas {
    fn piece(&self, text: &str) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let output: String = text.chars().take(*left).collect();
        *left = left.saturating_sub(output.chars().count());
        drop(left);
        if !output.is_empty() {
            self.events.emit(AgentEventKind::ToolCallOutputDelta {
                tool_call_id: self.call.clone(),
                output,
            });
        }
    }
}
