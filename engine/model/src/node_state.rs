//! The state of a node in a run, in a word.
//!
//! The one list of these words, as [`crate::RunState`] is that of runs.

use attractor_lang::Status;
use serde::{Deserialize, Serialize};

/// The state of a node. The words of older journals and servers are read too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
// Exhaustive: each client shows every state; another one is a new version of the protocol.
pub enum NodeState {
    /// It is due, and no attempt runs: its last attempt failed, and the next one has not begun.
    #[serde(alias = "retrying")]
    Pending,
    /// An attempt runs.
    #[default]
    Running,
    /// It waits for an answer.
    Waiting,
    /// Done as asked.
    #[serde(alias = "succeeded")]
    Success,
    /// Done in part, accepted.
    PartialSuccess,
    /// Not done.
    #[serde(alias = "failed")]
    Fail,
    /// Left out.
    Skipped,
    /// Not run to its end, because the run or its branch was stopped.
    Cancelled,
}

impl NodeState {
    /// Every state.
    pub const ALL: [Self; 8] = [
        Self::Pending,
        Self::Running,
        Self::Waiting,
        Self::Success,
        Self::PartialSuccess,
        Self::Fail,
        Self::Skipped,
        Self::Cancelled,
    ];

    /// The word for it, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Success => "success",
            Self::PartialSuccess => "partial_success",
            Self::Fail => "fail",
            Self::Skipped => "skipped",
            Self::Cancelled => "cancelled",
        }
    }

    /// The sign of the state in lenses, hovers and lists.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Pending => "↻",
            Self::Running => "●",
            Self::Waiting => "?",
            Self::Success => "✓",
            Self::PartialSuccess => "◐",
            Self::Fail => "✗",
            Self::Skipped => "⤼",
            Self::Cancelled => "■",
        }
    }

    /// Whether the node is under way.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::Running | Self::Waiting)
    }

    /// Whether the node did what it was asked, fully or in part.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Success | Self::PartialSuccess)
    }
}

impl From<&Status> for NodeState {
    fn from(status: &Status) -> Self {
        match status {
            // A word of the pipeline's own counts as success.
            Status::Success | Status::Custom(_) => Self::Success,
            Status::PartialSuccess => Self::PartialSuccess,
            Status::Fail | Status::Retry => Self::Fail,
            Status::Skipped => Self::Skipped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_word_in_json() {
        for state in NodeState::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.name());
        }
    }

    #[test]
    fn words_of_older_journals_are_read() {
        let read = |word: &str| serde_json::from_value::<NodeState>(word.into()).unwrap();
        assert_eq!(read("succeeded"), NodeState::Success);
        assert_eq!(read("failed"), NodeState::Fail);
        assert_eq!(read("retrying"), NodeState::Pending);
    }

    #[test]
    fn a_status_is_a_state() {
        let states = Status::KNOWN.map(|status| NodeState::from(&status).name());
        assert_eq!(
            states,
            ["success", "partial_success", "fail", "fail", "skipped"]
        );
        assert_eq!(NodeState::from(&Status::parse("lgtm")), NodeState::Success);
    }
}
