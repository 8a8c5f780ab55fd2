//! How often a node is tried and how long to wait in between (language reference, "Retries").
//!
//! The presets are in the model. Chance comes from outside, as an input.

use attractor_lang::duration;
use attractor_model::retry_preset::RetryPreset;

use crate::outcome::{FailureClass, Outcome, Status};
use crate::plan::{NodeRef, to_millis};

/// The longest delay before jitter, milliseconds.
const LONGEST: u64 = 60_000;

/// How a node is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// All attempts, the first included.
    pub attempts: u32,
    /// Delay before the second attempt, milliseconds.
    first: u64,
    /// By how much the next delay is longer.
    factor: u64,
}

impl RetryPolicy {
    /// The policy of a node: its own words, else the graph's.
    pub fn of(node_ref: NodeRef<'_>) -> Self {
        let preset = RetryPreset::of(node_ref.pipeline, node_ref.node);
        Self {
            attempts: preset.attempts,
            first: node_ref
                .written("retry_delay")
                .and_then(duration::parse)
                .map_or(preset.first_delay, to_millis),
            factor: preset.factor,
        }
    }

    /// Milliseconds before attempt `failed + 1`, where `failed` attempts were made, stretched by
    /// `jitter` thousandths.
    pub(crate) fn delay(self, failed: u32, jitter: u16) -> u64 {
        let factor = self.factor.saturating_pow(failed.saturating_sub(1));
        let plain = self
            .first
            .saturating_mul(factor)
            .min(LONGEST.max(self.first));
        plain.saturating_mul(u64::from(jitter)) / 1000
    }
}

/// Whether running the node again could help.
pub(crate) fn worth_retrying(outcome: &Outcome) -> bool {
    match outcome.status {
        Status::Retry => true,
        Status::Fail => !outcome.failure_class.is_some_and(FailureClass::is_final),
        Status::Success | Status::PartialSuccess | Status::Skipped | Status::Custom(_) => false,
    }
}
