//! How the checks of a run went: `make test` failed at one node and passed at a later one.

use std::collections::VecDeque;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// How many checks are kept, the latest ones.
const CHECKS: usize = 50;

/// How many places of a check are kept, the latest ones.
const PLACES: usize = 5;

/// How a check went at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// Its place among all that workers report, from 1.
    pub number: u64,
    /// The worker.
    pub worker: String,
    /// The node.
    pub place: String,
    /// Whether it passed.
    pub passed: bool,
    /// Whether files may have changed since.
    pub is_outdated: bool,
}

/// The results of each check, by its command: the last one of each place, the latest last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Checks(IndexMap<String, VecDeque<CheckResult>>);

impl Checks {
    pub(super) fn record(&mut self, command: String, result: CheckResult) {
        let mut results = self.0.shift_remove(&command).unwrap_or_default();
        results.retain(|earlier| earlier.place != result.place);
        results.push_back(result);
        results.drain(..results.len().saturating_sub(PLACES));
        self.0.insert(command, results);
        self.0.drain(..self.0.len().saturating_sub(CHECKS));
    }

    /// Files may have changed: the results are no longer those of the files as they are.
    pub(super) fn outdate(&mut self) {
        for result in self.0.values_mut().flatten() {
            result.is_outdated = true;
        }
    }

    /// The number of the latest result.
    pub(super) fn last_number(&self) -> u64 {
        let results = self.0.values().flatten();
        results
            .map(|result| result.number)
            .max()
            .unwrap_or_default()
    }

    /// A line per check with a result that `counts`: ``- `make test`: failed at REPRO, passed at FIX``.
    pub(super) fn lines(&self, counts: impl Fn(&CheckResult) -> bool) -> String {
        let lines = self.0.iter().filter_map(|(command, results)| {
            let shown: Vec<&CheckResult> = results.iter().filter(|one| counts(one)).collect();
            let last = shown.last()?;
            let states = shown.iter().map(|one| {
                let word = if one.passed { "passed" } else { "failed" };
                format!("{word} at {}", one.place)
            });
            let states = states.collect::<Vec<_>>().join(", ");
            let since = if last.is_outdated {
                "; files have changed since"
            } else {
                ""
            };
            Some(format!("- `{command}`: {states}{since}\n"))
        });
        lines.collect()
    }
}
