//! What a run may still spend.

/// What a run may still spend; absent without a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RemainingBudget {
    /// Tokens of input and output.
    pub tokens: Option<u64>,
    /// USD.
    pub cost: Option<f64>,
}
