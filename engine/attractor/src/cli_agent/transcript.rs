//! What an agent has written so far: its lines, and what they add up to.

use attractor_run::{FailureClass, Usage};
use serde_json::Value;

/// The longest line that is read, in bytes; a longer one is skipped.
const LONGEST: usize = 32 * 1024 * 1024;

/// What an agent has written so far.
#[derive(Default)]
pub(super) struct Transcript {
    /// The final answer.
    pub(super) text: String,
    /// What it cost.
    pub(super) usage: Usage,
    /// The model, as the agent names it.
    pub(super) model: Option<String>,
    /// Its session.
    pub(super) session: Option<String>,
    /// Why it has no answer.
    pub(super) error: Option<String>,
    /// What a user should know.
    pub(super) warnings: Vec<String>,
    /// Reads one event.
    read: Option<fn(&mut Self, &Value) -> Option<String>>,
    line: Vec<u8>,
    is_skipping: bool,
}

impl Transcript {
    pub(super) fn new(read: fn(&mut Self, &Value) -> Option<String>) -> Self {
        Self {
            read: Some(read),
            ..Self::default()
        }
    }

    /// Reads a piece of output. Gives what is to be shown.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut shown = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(end);
            self.extend(line);
            shown.extend(self.end());
            rest = after.get(1..).unwrap_or_default();
        }
        self.extend(rest);
        shown
    }

    /// Reads the line that has been collected.
    pub(super) fn end(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_skipping) {
            let message = format!("a line of more than {LONGEST} bytes was skipped");
            self.warnings.push(message);
            return None;
        }
        // Agents write notices between their events; those are not JSON objects.
        let event: Value = serde_json::from_slice(&line).ok()?;
        let read = self.read?;
        read(self, &event)
    }

    fn extend(&mut self, bytes: &[u8]) {
        if self.line.len() + bytes.len() > LONGEST {
            self.is_skipping = true;
            self.line.clear();
        } else if !self.is_skipping {
            self.line.extend_from_slice(bytes);
        }
    }
}

/// The text at a path of keys.
pub(super) fn text(event: &Value, pointer: &str) -> Option<String> {
    event.pointer(pointer)?.as_str().map(str::to_owned)
}

/// The count at a path of keys.
pub(super) fn count(event: &Value, pointer: &str) -> u64 {
    event
        .pointer(pointer)
        .and_then(Value::as_u64)
        .unwrap_or_default()
}

/// What kind of failure an agent's message is about. Agents report errors of their providers as text only.
pub(super) fn class_of(message: &str) -> FailureClass {
    const WORDS: &[(&[&str], FailureClass)] = &[
        (
            &[
                "api key",
                "authenticat",
                "unauthorized",
                "401",
                "log in",
                "/login",
                "not logged in",
            ],
            FailureClass::Authentication,
        ),
        (
            &[
                "max turns",
                "max_turns",
                "turn limit",
                "budget",
                "quota",
                "usage limit",
            ],
            FailureClass::BudgetExhausted,
        ),
        (
            &[
                "rate limit",
                "overloaded",
                "429",
                "500",
                "502",
                "503",
                "529",
                "timed out",
                "network",
                "connection",
                "stream disconnected",
            ],
            FailureClass::TransientInfra,
        ),
    ];
    let message = message.to_lowercase();
    let row = WORDS
        .iter()
        .find(|(words, _)| words.iter().any(|word| message.contains(word)));
    row.map_or(FailureClass::Deterministic, |(_, class)| *class)
}
