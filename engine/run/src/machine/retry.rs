//! How often a node is tried and how long to wait in between (language reference, "Retries").
//!
//! Presets are those of the public Attractor specification. Chance comes from outside, as an input.

use attractor_lang::duration;

use super::plan::{NodeRef, to_millis};
use crate::outcome::{Outcome, Status};

/// The longest delay before jitter, milliseconds.
const LONGEST: u64 = 60_000;

/// How a node is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RetryPolicy {
    /// All attempts, the first included.
    pub(crate) attempts: u32,
    /// Delay before the second attempt, milliseconds.
    first: u64,
    /// By how much the next delay is longer.
    factor: u64,
}

/// Name, attempts, first delay in milliseconds, factor.
const PRESETS: &[(&str, u32, u64, u64)] = &[
    ("none", 1, 200, 2),
    ("standard", 5, 200, 2),
    ("aggressive", 5, 500, 2),
    ("linear", 3, 500, 1),
    ("patient", 3, 2000, 3),
];

impl RetryPolicy {
    /// The policy of a node: its own words, else the graph's.
    pub(crate) fn of(node_ref: NodeRef<'_>) -> Self {
        let preset = node_ref.inherited("retry_policy").and_then(preset);
        let retries = node_ref
            .written("max_retries")
            .or_else(|| match preset {
                Some(_) => None,
                None => node_ref.inherited("default_max_retries"),
            })
            .and_then(|text| text.trim().parse::<u32>().ok());
        let base = preset.unwrap_or(Self {
            attempts: 1,
            first: 200,
            factor: 2,
        });
        Self {
            attempts: retries.map_or(base.attempts, |retries| retries.saturating_add(1)),
            first: node_ref
                .written("retry_delay")
                .and_then(duration::parse)
                .map_or(base.first, to_millis),
            ..base
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

fn preset(name: &str) -> Option<RetryPolicy> {
    PRESETS
        .iter()
        .find(|(preset, ..)| preset.eq_ignore_ascii_case(name.trim()))
        .map(|(_, attempts, first, factor)| RetryPolicy {
            attempts: *attempts,
            first: *first,
            factor: *factor,
        })
}

/// Whether running the node again could help.
pub(crate) fn worth_retrying(outcome: &Outcome) -> bool {
    match outcome.status {
        Status::Retry => true,
        Status::Fail => !outcome
            .failure_class
            .is_some_and(crate::FailureClass::is_final),
        Status::Success | Status::PartialSuccess | Status::Skipped | Status::Custom(_) => false,
    }
}
