//! The outcome of a node, and why it failed.
//!
//! Handlers return an [`Outcome`]; the machine merges it into the context and routes by it. Errors
//! of a node are values here, never Rust errors: a failed node is a normal event of a run.

mod limits;
mod model_call;
mod remaining_budget;

use std::collections::BTreeMap;
use std::fmt;

pub use attractor_lang::Status;
use attractor_redact::{Redactor, printable};
pub use limits::{DEFAULT_MAX_STEPS, Limits};
pub use model_call::ModelCall;
pub use remaining_budget::RemainingBudget;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Why a node failed, as conditions see it in `failure_class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureClass {
    /// It may work when tried again: network, rate limit, overload.
    TransientInfra,
    /// It took longer than its `timeout`.
    Timeout,
    /// It will fail the same way again: a command's exit code, a failed check.
    Deterministic,
    /// Branches changed the same file in different ways (`isolation=worktree`).
    Conflict,
    /// An agent repeats itself and was stopped.
    Loop,
    /// It was done, and no edge that leaves it could be taken.
    NoRoute,
    /// A step, visit, time, token or cost limit was reached.
    BudgetExhausted,
    /// Credentials are missing or refused.
    Authentication,
    /// Something the pipeline or the machine lacks: no command, no such model.
    Configuration,
    /// The request itself was refused.
    BadRequest,
    /// A policy does not allow it.
    Permission,
    /// Someone or something stopped it.
    Canceled,
    /// No person could answer a question.
    Unanswered,
    /// The engine could not continue: the disk is full, a bug.
    Internal,
}

impl FailureClass {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::TransientInfra,
        Self::Timeout,
        Self::Deterministic,
        Self::Conflict,
        Self::Loop,
        Self::NoRoute,
        Self::BudgetExhausted,
        Self::Authentication,
        Self::Configuration,
        Self::BadRequest,
        Self::Permission,
        Self::Canceled,
        Self::Unanswered,
        Self::Internal,
    ];

    /// The word conditions compare with.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TransientInfra => "transient_infra",
            Self::Timeout => "timeout",
            Self::Deterministic => "deterministic",
            Self::Conflict => "conflict",
            Self::Loop => "loop",
            Self::NoRoute => "no_route",
            Self::BudgetExhausted => "budget_exhausted",
            Self::Authentication => "authentication",
            Self::Configuration => "configuration",
            Self::BadRequest => "bad_request",
            Self::Permission => "permission",
            Self::Canceled => "canceled",
            Self::Unanswered => "unanswered",
            Self::Internal => "internal",
        }
    }

    /// Whether running the node again can help (language reference, "Retries").
    pub fn is_final(self) -> bool {
        matches!(
            self,
            Self::Conflict
                | Self::BudgetExhausted
                | Self::Authentication
                | Self::Configuration
                | Self::BadRequest
                | Self::Permission
                | Self::Canceled
                | Self::Unanswered
                | Self::Internal
        )
    }
}

/// A failure, for people and for conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub struct Failure {
    /// The node that failed; none when the run itself did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Where a limit of the run ended it: that node has not failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StopPlace>,
    /// What happened, in a sentence.
    pub reason: String,
    /// What kind of failure it is.
    pub class: FailureClass,
}

/// Where a run was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
// Exhaustive: each client words every place.
pub enum StopPlace {
    /// This node was to run next.
    Before(String),
    /// This node was the last one that ran.
    After(String),
}

impl StopPlace {
    /// The node.
    pub fn node(&self) -> &str {
        let (Self::Before(node) | Self::After(node)) = self;
        node
    }
}

impl Failure {
    /// The failure of a run that met a limit.
    pub(crate) fn at_limit(stopped: Option<StopPlace>, reason: String) -> Self {
        Self {
            node: None,
            stopped,
            reason,
            class: FailureClass::BudgetExhausted,
        }
    }
}

/// `before deploy`, `after write`.
impl fmt::Display for StopPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(node) => write!(out, "before {node}"),
            Self::After(node) => write!(out, "after {node}"),
        }
    }
}

/// `deploy: exit code 3`, or `stopped before deploy: step limit reached`.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.node, &self.stopped) {
            (Some(node), _) => write!(out, "{node}: ")?,
            (None, Some(place)) => write!(out, "stopped {place}: ")?,
            (None, None) => {}
        }
        out.write_str(&self.reason)
    }
}

/// Tokens and money spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", default)]
pub struct Usage {
    /// Tokens read by models.
    pub input_tokens: u64,
    /// Tokens written by models.
    pub output_tokens: u64,
    /// The part of `output_tokens` that is reasoning.
    #[serde(skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
    /// The part of `input_tokens` that was read from a prompt cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_read_tokens: u64,
    /// The part of `input_tokens` that was written to a prompt cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
    /// Price in USD.
    pub cost: f64,
    /// Whether a part of it is an estimate: the answer ended before the provider reported what it used.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Usage {
    /// Adds what another attempt spent.
    pub fn add(&mut self, other: &Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.cache_read_tokens = self
            .cache_read_tokens
            .saturating_add(other.cache_read_tokens);
        self.cache_write_tokens = self
            .cache_write_tokens
            .saturating_add(other.cache_write_tokens);
        self.cost += other.cost;
        self.estimated |= other.estimated;
    }

    /// Whether nothing was spent.
    pub fn is_zero(&self) -> bool {
        self.input_tokens == 0 && self.output_tokens == 0 && self.cost == 0.0
    }

    /// Tokens in both directions.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// The result of `verify` (language reference, section 10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct Verification {
    /// The check as written: `output_contains:PASS`.
    pub check: String,
    /// Whether it held.
    pub passed: bool,
}

/// The outcome of one attempt of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", default)]
pub struct Outcome {
    /// The result word.
    pub status: Status,
    /// The edge label the handler prefers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_label: Option<String>,
    /// Nodes the handler suggests, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggested_next_ids: Vec<String>,
    /// The node the handler insists on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_node: Option<String>,
    /// Keys to set in the context.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub context_updates: BTreeMap<String, Value>,
    /// Keys to remove from the context, after the updates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context_deletes: Vec<String>,
    /// What the node produced, for `output.NODE` and `parallel_results`.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub output: Value,
    /// A line for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// What kind of failure it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_class: Option<FailureClass>,
    /// The check that was made after the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What it cost.
    #[serde(skip_serializing_if = "Usage::is_zero")]
    pub usage: Usage,
    /// The model it called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<ModelCall>>,
    /// Milliseconds that a provider asks to wait before another attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl Outcome {
    /// A plain success.
    pub fn success() -> Self {
        Self::default()
    }

    /// A failure with its reason, as a sentence, and its class.
    pub fn fail(class: FailureClass, reason: impl Into<String>) -> Self {
        Self {
            status: Status::Fail,
            failure_reason: Some(reason.into()),
            failure_class: Some(class),
            ..Self::default()
        }
    }

    /// Sets a context key.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.context_updates.insert(key.into(), value.into());
        self
    }

    /// Removes a context key.
    #[must_use]
    pub fn without(mut self, key: impl Into<String>) -> Self {
        self.context_deletes.push(key.into());
        self
    }

    /// Masks secrets everywhere; what people read of it becomes printable.
    pub fn redact(&mut self, redactor: &Redactor) {
        self.notes = printable(&redactor.text(&self.notes)).into_owned();
        if let Some(reason) = &self.failure_reason {
            self.failure_reason = Some(printable(&redactor.text(reason)).into_owned());
        }
        redactor.value(&mut self.output);
        for value in self.context_updates.values_mut() {
            redactor.value(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completion_and_lints_know_every_class() {
        let words = FailureClass::ALL.map(FailureClass::as_str);
        assert_eq!(words, attractor_model::analysis::FAILURE_CLASSES);
    }

    #[test]
    fn redacted_outcome_contains_no_secret() {
        let redactor = Redactor::knowing(["hunter2hunter2"]);
        let mut outcome = Outcome::fail(FailureClass::Deterministic, "hunter2hunter2")
            .with("a", serde_json::json!({"b": ["hunter2hunter2"]}));
        outcome.output = "x hunter2hunter2".into();
        outcome.notes = "hunter2hunter2\u{1b}]0;title\u{7}".to_owned();
        outcome.redact(&redactor);
        let text = serde_json::to_string(&outcome).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        assert!(!text.contains("\\u001b"), "{text}");
    }
}
