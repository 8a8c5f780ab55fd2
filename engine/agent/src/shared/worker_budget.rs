//! The budget of one worker, which reports to the shared state what the worker uses.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::economics::SharedEconomicsState;
use super::fingerprint::fingerprint;

/// How many fingerprints are kept.
const KEPT: usize = 20;

/// The limits of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerBudgetConfig {
    /// Most tokens of input and output.
    pub max_tokens: u64,
    /// Most calls of the model.
    pub max_iterations: u64,
    /// How many identical tool calls in a row are a doom loop.
    pub doom_loop_threshold: usize,
}

impl Default for WorkerBudgetConfig {
    fn default() -> Self {
        Self {
            max_tokens: 300_000,
            max_iterations: 50,
            doom_loop_threshold: 3,
        }
    }
}

/// A limit of a worker that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerLimit {
    /// It used so many tokens.
    Tokens(u64),
    /// It called the model so often.
    Iterations(u64),
    /// It made the same call so often in a row.
    DoomLoop(usize),
}

/// What one worker uses.
#[derive(Debug)]
pub struct WorkerBudgetTracker {
    worker: String,
    config: WorkerBudgetConfig,
    economics: Arc<SharedEconomicsState>,
    tokens: u64,
    iterations: u64,
    latest: VecDeque<String>,
}

impl WorkerBudgetTracker {
    /// The tracker of a worker that has used nothing.
    pub fn new(
        worker: impl Into<String>,
        config: WorkerBudgetConfig,
        economics: Arc<SharedEconomicsState>,
    ) -> Self {
        Self {
            worker: worker.into(),
            config,
            economics,
            tokens: 0,
            iterations: 0,
            latest: VecDeque::new(),
        }
    }

    /// Records a call of the model.
    pub fn record_iteration(&mut self, tokens: u64) {
        self.iterations += 1;
        self.tokens = self.tokens.saturating_add(tokens);
        self.economics.record_tokens(&self.worker, tokens);
    }

    /// Records a tool call, and gives its fingerprint.
    pub fn record_tool_call(&mut self, tool: &str, arguments: &Value) -> String {
        let fingerprint = fingerprint(tool, arguments);
        self.latest.push_back(fingerprint.clone());
        let surplus = self.latest.len().saturating_sub(KEPT);
        self.latest.drain(..surplus);
        fingerprint
    }

    /// The first limit that is reached.
    pub fn reached(&self) -> Option<WorkerLimit> {
        if self.tokens >= self.config.max_tokens {
            return Some(WorkerLimit::Tokens(self.tokens));
        }
        if self.iterations >= self.config.max_iterations {
            return Some(WorkerLimit::Iterations(self.iterations));
        }
        let repeated = self.repeated();
        (repeated >= self.config.doom_loop_threshold).then_some(WorkerLimit::DoomLoop(repeated))
    }

    /// How often the latest call was made in a row.
    fn repeated(&self) -> usize {
        let Some(last) = self.latest.back() else {
            return 0;
        };
        let calls = self.latest.iter().rev();
        calls.take_while(|one| *one == last).count()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tracker() -> WorkerBudgetTracker {
        WorkerBudgetTracker::new("w", WorkerBudgetConfig::default(), Arc::default())
    }

    #[test]
    fn the_limits_are_300_000_tokens_and_50_iterations() {
        let mut tokens = tracker();
        tokens.record_iteration(299_999);
        assert_eq!(tokens.reached(), None);
        tokens.record_iteration(1);
        assert_eq!(tokens.reached(), Some(WorkerLimit::Tokens(300_000)));
        let mut iterations = tracker();
        for _ in 0..49 {
            iterations.record_iteration(1);
        }
        assert_eq!(iterations.reached(), None);
        iterations.record_iteration(1);
        assert_eq!(iterations.reached(), Some(WorkerLimit::Iterations(50)));
        assert_eq!(iterations.economics.tokens()["w"], 50);
    }

    #[test]
    fn three_identical_calls_in_a_row_are_a_doom_loop() {
        let mut tracker = tracker();
        let mut call = |command: &str| {
            tracker.record_tool_call("shell", &json!({ "command": command }));
            tracker.reached()
        };
        assert_eq!(call("ls"), None);
        assert_eq!(call("ls"), None);
        assert_eq!(call("make"), None);
        assert_eq!(call("ls"), None);
        assert_eq!(call("ls"), None);
        assert_eq!(call("ls"), Some(WorkerLimit::DoomLoop(3)));
        // The last 20 fingerprints are kept.
        for _ in 0..30 {
            call("ls");
        }
        assert_eq!(call("ls"), Some(WorkerLimit::DoomLoop(20)));
        assert_eq!(call("make"), None);
    }
}
