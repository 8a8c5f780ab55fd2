//! The state of a run, in a word.

use serde::{Deserialize, Serialize};

/// The state of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Something is being done.
    #[default]
    Running,
    /// Nothing continues until someone answers.
    Waiting,
    /// Ended well.
    Succeeded,
    /// Ended in failure.
    Failed,
    /// Stopped.
    Cancelled,
    /// Handed over.
    Escalated,
    /// Its process is gone, killed or asked to end; `attractor resume` continues with it.
    Interrupted,
}

impl RunState {
    /// The word for it, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Escalated => "escalated",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the run is over.
    pub fn is_end(self) -> bool {
        matches!(
            self,
            Self::Succeeded | Self::Failed | Self::Cancelled | Self::Escalated
        )
    }
}
