//! How much a run may take.

use serde::{Deserialize, Serialize};

/// The steps of a run where nothing else is said.
pub const DEFAULT_MAX_STEPS: u64 = 1000;

/// Limits of a run from outside its pipeline. `max_steps` replaces the pipeline's own, of the others the lower one counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", default)]
pub struct Limits {
    /// Nodes executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u64>,
    /// USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Tokens in both directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Active milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_duration_ms: Option<u64>,
}

impl Limits {
    /// These limits, and those of `earlier` where there is none.
    pub(crate) fn or(self, earlier: Self) -> Self {
        Self {
            max_steps: self.max_steps.or(earlier.max_steps),
            max_cost: self.max_cost.or(earlier.max_cost),
            max_tokens: self.max_tokens.or(earlier.max_tokens),
            max_duration_ms: self.max_duration_ms.or(earlier.max_duration_ms),
        }
    }

    /// Whether there is none.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}
