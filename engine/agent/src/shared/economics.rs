//! Calls that several workers repeat without effect: a server that is down is down for all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// How often a call is repeated, over all workers, before it is a doom loop.
const GLOBAL_DOOM_THRESHOLD: u64 = 10;

/// A call that workers repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalDoomLoop {
    /// How often it was made.
    pub count: u64,
    /// How many workers made it.
    pub workers: usize,
}

/// The calls of all workers, by fingerprint. Safe to use from several threads.
#[derive(Debug)]
pub struct SharedEconomicsState {
    threshold: u64,
    inner: Mutex<EconomicsData>,
}

/// What is stored of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EconomicsData {
    calls: BTreeMap<String, Calls>,
    /// Tokens used by workers.
    tokens: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Calls {
    count: u64,
    workers: BTreeSet<String>,
}

impl Default for SharedEconomicsState {
    fn default() -> Self {
        Self::new(GLOBAL_DOOM_THRESHOLD)
    }
}

impl SharedEconomicsState {
    /// An empty state; `threshold` repetitions are a doom loop.
    pub fn new(threshold: u64) -> Self {
        Self {
            threshold,
            inner: Mutex::default(),
        }
    }

    /// Records a call of a worker. Gives the doom loop that it is part of.
    pub fn record_call(&self, worker_id: &str, fingerprint: &str) -> Option<GlobalDoomLoop> {
        let mut data = self.lock();
        let calls = data.calls.entry(fingerprint.to_owned()).or_default();
        calls.count += 1;
        calls.workers.insert(worker_id.to_owned());
        self.doom_loop(calls)
    }

    /// The doom loop that a call would be part of.
    pub fn global_doom_loop(&self, fingerprint: &str) -> Option<GlobalDoomLoop> {
        self.doom_loop(self.lock().calls.get(fingerprint)?)
    }

    /// Forgets a call: it had an effect.
    pub fn forget(&self, fingerprint: &str) {
        self.lock().calls.remove(fingerprint);
    }

    /// Forgets all calls: what they work on has changed, so that they may have another result.
    pub fn forget_all(&self) {
        self.lock().calls.clear();
    }

    /// Records what a worker used.
    pub fn record_tokens(&self, worker_id: &str, tokens: u64) {
        let mut data = self.lock();
        let used = data.tokens.entry(worker_id.to_owned()).or_default();
        *used = used.saturating_add(tokens);
    }

    /// The tokens that each worker used.
    pub fn tokens(&self) -> BTreeMap<String, u64> {
        self.lock().tokens.clone()
    }

    fn doom_loop(&self, calls: &Calls) -> Option<GlobalDoomLoop> {
        let workers = calls.workers.len();
        (calls.count >= self.threshold && workers > 1).then_some(GlobalDoomLoop {
            count: calls.count,
            workers,
        })
    }

    /// What is stored.
    pub(super) fn data(&self) -> EconomicsData {
        self.lock().clone()
    }

    /// Puts stored data in place of its own.
    pub(super) fn restore(&self, data: EconomicsData) {
        *self.lock() = data;
    }

    fn lock(&self) -> MutexGuard<'_, EconomicsData> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_calls_of_several_workers_are_a_doom_loop() {
        let state = SharedEconomicsState::default();
        for call in 1..10 {
            assert_eq!(
                state.record_call(&format!("w{}", call % 3), "same"),
                None,
                "{call}"
            );
        }
        let found = state.record_call("w0", "same");
        assert_eq!(
            found,
            Some(GlobalDoomLoop {
                count: 10,
                workers: 3
            })
        );
        assert_eq!(state.global_doom_loop("same"), found);
        assert_eq!(state.global_doom_loop("other"), None);
        state.forget("same");
        assert_eq!(state.global_doom_loop("same"), None);
    }

    /// One worker that repeats itself is the business of its own limits.
    #[test]
    fn one_worker_alone_does_not_make_a_global_loop() {
        let state = SharedEconomicsState::default();
        let found = (0..30).filter_map(|_| state.record_call("w0", "same"));
        assert_eq!(found.count(), 0);
        assert!(state.record_call("w1", "same").is_some());
    }

    #[test]
    fn tokens_are_counted_by_worker() {
        let state = SharedEconomicsState::default();
        for (worker, tokens) in [("a", 10), ("b", 5), ("a", 7)] {
            state.record_tokens(worker, tokens);
        }
        let used = state.tokens();
        assert_eq!((used["a"], used["b"]), (17, 5));
    }
}
