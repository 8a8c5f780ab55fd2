//! The state of a run, in a word.
//!
//! The one list of these words: journals, JSON, HTTP, the language server and the page use them.
//!
//! ```
//! use attractor_model::RunState;
//! assert_eq!(RunState::Success.name(), "success");
//! ```

use serde::{Deserialize, Serialize};

/// The state of a run. The words of older journals and servers are read too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
// Exhaustive: each client shows every state; another one is a new version of the protocol.
pub enum RunState {
    /// Something is being done.
    #[default]
    Running,
    /// Nothing continues until a question is answered.
    Waiting,
    /// Held by a user; it continues when released.
    Paused,
    /// It reached a terminal node.
    #[serde(alias = "succeeded")]
    Success,
    /// It could not continue.
    #[serde(alias = "failed")]
    Fail,
    /// Stopped by a user.
    Cancelled,
    /// Its process is gone, killed or asked to end; it can be resumed.
    Interrupted,
    /// It handed the work to a user or a higher level.
    Escalated,
    /// It did not start: the pipeline has errors, or inputs are missing.
    Invalid,
}

impl RunState {
    /// Every state.
    pub const ALL: [Self; 9] = [
        Self::Running,
        Self::Waiting,
        Self::Paused,
        Self::Success,
        Self::Fail,
        Self::Cancelled,
        Self::Interrupted,
        Self::Escalated,
        Self::Invalid,
    ];

    /// The word for it, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Success => "success",
            Self::Fail => "fail",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Escalated => "escalated",
            Self::Invalid => "invalid",
        }
    }

    /// Whether the run is over. An interrupted run is not: `resume` continues with it.
    pub fn is_end(self) -> bool {
        matches!(
            self,
            Self::Success | Self::Fail | Self::Cancelled | Self::Escalated | Self::Invalid
        )
    }

    /// Whether a process works on the run now, so that it can be cancelled and its questions answered.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Running | Self::Waiting | Self::Paused)
    }

    /// Whether `resume` continues with such a run.
    pub fn is_resumable(self) -> bool {
        matches!(self, Self::Fail | Self::Cancelled | Self::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_word_in_json() {
        for state in RunState::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        }
    }

    #[test]
    fn words_of_older_journals_are_read() {
        let read = |word: &str| serde_json::from_value::<RunState>(word.into()).unwrap();
        assert_eq!(read("succeeded"), RunState::Success);
        assert_eq!(read("failed"), RunState::Fail);
    }
}
