//! Replies to questions from running nodes.

use crate::question::{Question, Reading};

/// The answer to a question of a handler or a backend.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The keys of the chosen options; none for pure text.
    pub keys: Vec<String>,
    /// The text, if any.
    pub text: Option<String>,
    /// Whether no chosen option refuses.
    pub approved: bool,
    /// Who answered and from where.
    pub by: String,
}

/// Why a question of a handler or a backend has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// There is nobody to ask.
    #[error("{reason}")]
    Unanswerable {
        /// Why, and what to do.
        reason: String,
    },
    /// Nobody answered in time, and the question has no default.
    #[error("the question was not answered in time")]
    TimedOut,
    /// The node was stopped.
    #[error("the node was stopped before the question was answered")]
    Stopped,
}

impl AskError {
    /// There is nobody to ask, for this reason.
    pub fn unanswerable(reason: impl Into<String>) -> Self {
        Self::Unanswerable {
            reason: reason.into(),
        }
    }
}

impl Reply {
    /// What an answer to `question` means.
    pub(crate) fn of(question: &Question, reading: &Reading, by: &str) -> Self {
        let chosen = question.chosen(reading);
        Self {
            approved: chosen.iter().all(|option| option.approves),
            keys: reading.keys.clone(),
            text: reading.text.clone(),
            by: by.to_owned(),
        }
    }

    /// Whether the option with this key is chosen.
    pub fn is(&self, key: &str) -> bool {
        self.keys.iter().any(|one| one.eq_ignore_ascii_case(key))
    }
}
