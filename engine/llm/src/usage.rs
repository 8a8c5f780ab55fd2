//! Tokens used.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use attractor_models::TokenCounts;
use serde::{Deserialize, Serialize};

/// Tokens used by one call or several, counted alike for all providers:
///
/// - `cache_read_tokens + cache_write_tokens <= input_tokens`,
/// - `reasoning_tokens <= output_tokens`,
/// - [`total_tokens`](Self::total_tokens) `= input_tokens + output_tokens`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenUsage {
    /// All input, cached or not.
    pub input_tokens: u64,
    /// All output, reasoning included.
    pub output_tokens: u64,
    /// The part of the output that is reasoning, if the provider reports it.
    pub reasoning_tokens: Option<u64>,
    /// The part of the input that was read from a cache, if the provider reports it.
    pub cache_read_tokens: Option<u64>,
    /// The part of the input that was written to a cache, if the provider reports it.
    pub cache_write_tokens: Option<u64>,
    /// The part of `cache_write_tokens` that is kept for an hour, if the provider reports it.
    pub cache_write_1h_tokens: Option<u64>,
    /// Whether a part of it is an estimate, because a stream ended before the provider reported its usage.
    pub estimated: bool,
}

impl TokenUsage {
    /// Input and output.
    pub const fn total_tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// The tokens as they are billed.
    pub fn counts(&self) -> TokenCounts {
        TokenCounts {
            input: self.input_tokens,
            output: self.output_tokens,
            cache_read: self.cache_read_tokens.unwrap_or_default(),
            cache_write: self.cache_write_tokens.unwrap_or_default(),
            cache_write_1h: self.cache_write_1h_tokens.unwrap_or_default(),
        }
    }
}

/// About how many tokens a text is: four bytes make one.
pub fn estimate_tokens(text: &str) -> u64 {
    u64::try_from(text.len().div_ceil(4)).unwrap_or(u64::MAX)
}

impl Add for TokenUsage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (None, None) => None,
            (one, other) => Some(
                one.unwrap_or_default()
                    .saturating_add(other.unwrap_or_default()),
            ),
        };
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            reasoning_tokens: sum(self.reasoning_tokens, other.reasoning_tokens),
            cache_read_tokens: sum(self.cache_read_tokens, other.cache_read_tokens),
            cache_write_tokens: sum(self.cache_write_tokens, other.cache_write_tokens),
            cache_write_1h_tokens: sum(self.cache_write_1h_tokens, other.cache_write_1h_tokens),
            estimated: self.estimated || other.estimated,
        }
    }
}

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for TokenUsage {
    fn sum<I: Iterator<Item = Self>>(usages: I) -> Self {
        usages.fold(Self::default(), Add::add)
    }
}
