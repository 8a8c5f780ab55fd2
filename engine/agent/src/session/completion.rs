//! How the work on an input ended.

use attractor_llm::FinishReason;
use serde::Serialize;

use super::verification::Verification;
use crate::budget::{LimitReached, Spent};
use crate::error::AgentError;

/// How the work on an input ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Completion {
    /// Whether it is done, and if not, why.
    pub ending: Ending,
    /// The model's last text.
    pub text: String,
    /// What it used, subagents included.
    pub spent: Spent,
    /// The provider that answered last.
    pub provider: Option<String>,
    /// The model that answered last, as the provider names it.
    pub model: Option<String>,
    /// Why the model stopped.
    pub finish_reason: Option<FinishReason>,
    /// What was changed, and what was run after it.
    pub verification: Verification,
    /// What a user should know.
    pub warnings: Vec<String>,
}

impl Completion {
    /// An input that no model has seen.
    pub fn failed(error: AgentError) -> Self {
        Self {
            ending: Ending::Failed(error),
            ..Self::default()
        }
    }

    /// Adds what an earlier input of the same work used and did.
    pub fn add_earlier(&mut self, earlier: &Self) {
        self.spent.add(&earlier.spent);
        self.verification.precede(&earlier.verification);
        for warning in &earlier.warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }
}

/// Whether an input is done.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// The model answered without a tool call.
    #[default]
    Done,
    /// A limit is reached.
    Limit(LimitReached),
    /// The same tool calls repeat.
    Loop(String),
    /// It failed.
    Failed(AgentError),
    /// It was cancelled.
    Cancelled,
}

impl Ending {
    /// Its word: `done`, `limit`, `loop`, `failed`, `cancelled`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Limit(_) => "limit",
            Self::Loop(_) => "loop",
            Self::Failed(_) => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Why it is not done, as an error with its category.
    pub fn error(&self) -> Option<AgentError> {
        Some(match self {
            Self::Done => return None,
            Self::Limit(limit) => {
                let error = AgentError::budget_exhausted(limit.limit, &limit.message);
                error
                    .with("used", limit.used)
                    .with("allowed", limit.allowed)
            }
            Self::Loop(warning) => AgentError::llm(warning).with("kind", "loop").permanent(),
            Self::Failed(error) => error.clone(),
            Self::Cancelled => AgentError::cancelled("the work was cancelled"),
        })
    }

    /// Why it is not done.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Done => None,
            Self::Limit(limit) => Some(&limit.message),
            Self::Loop(warning) => Some(warning),
            Self::Failed(error) => Some(&error.message),
            Self::Cancelled => Some("the work was cancelled"),
        }
    }
}

impl Serialize for Ending {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
