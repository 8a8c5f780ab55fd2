//! What an agent reports besides its calls of model and tools.

use serde::{Deserialize, Serialize};

/// What an agent reports besides its calls of model and tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "notice", rename_all = "snake_case")]
#[non_exhaustive]
pub enum AgentNotice {
    /// The same calls repeat.
    LoopDetection {
        /// What repeats.
        warning: String,
    },
    /// A limit of turns or tool rounds ends the work.
    TurnLimit {
        /// Turns so far.
        turns: u64,
        /// How many there may be.
        limit: u64,
    },
    /// Earlier messages were replaced by a summary, since the next request would not have fit.
    Compacted {
        /// Messages before.
        messages_before: u64,
        /// Messages after.
        messages_after: u64,
        /// Estimated tokens before.
        tokens_before: u64,
        /// Estimated tokens after.
        tokens_after: u64,
    },
    /// Something a user should know.
    Warning {
        /// What.
        message: String,
    },
    /// A tool call has changed files.
    FilesChanged {
        /// The call.
        tool_call_id: String,
        /// The files, relative to the folder of the node.
        paths: Vec<String>,
    },
    /// Something failed.
    Error {
        /// What and why.
        error: String,
        /// Where: `llm_call` or `session`.
        phase: String,
    },
}

impl AgentNotice {
    /// The same, with each text replaced.
    #[must_use]
    pub fn map(self, replace: impl Fn(&str) -> String) -> Self {
        match self {
            Self::LoopDetection { warning } => Self::LoopDetection {
                warning: replace(&warning),
            },
            Self::Warning { message } => Self::Warning {
                message: replace(&message),
            },
            Self::FilesChanged {
                tool_call_id,
                paths,
            } => Self::FilesChanged {
                tool_call_id,
                paths: paths.iter().map(|path| replace(path)).collect(),
            },
            Self::Error { error, phase } => Self::Error {
                error: replace(&error),
                phase,
            },
            other @ (Self::TurnLimit { .. } | Self::Compacted { .. }) => other,
        }
    }

    /// In a line, for people.
    pub fn summary(&self) -> String {
        match self {
            Self::LoopDetection { warning } => format!("loop: {warning}"),
            Self::TurnLimit { turns, limit } => format!("limit reached: {turns} of {limit} turns"),
            Self::Compacted {
                messages_before,
                messages_after,
                ..
            } => format!("conversation shortened: {messages_before} messages to {messages_after}"),
            Self::Warning { message } => format!("warning: {message}"),
            Self::FilesChanged { paths, .. } => format!("changed {}", paths.join(", ")),
            Self::Error { error, .. } => format!("error: {error}"),
        }
    }
}
