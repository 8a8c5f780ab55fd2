//! What workers learn that others should know: how checks went, calls that failed, and references. Safe to use from
//! several threads.
//!
//! It states facts. A failure holds for the files as they were: a later success of the same call ends it, and so does
//! a change of files.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::checks::{CheckResult, Checks};
use super::worker_id::place;

/// How often an error occurs before it becomes an insight.
const INSIGHT: usize = 2;

/// How much of an input or an error is kept, in characters.
const KEPT: usize = 240;

/// The limits of [`SharedContextState`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedContextConfig {
    /// The most references; the oldest are forgotten first.
    pub max_references: usize,
    /// The most failures of each worker; the oldest are forgotten first.
    pub max_failures_per_worker: usize,
}

impl Default for SharedContextConfig {
    fn default() -> Self {
        Self {
            max_references: 200,
            max_failures_per_worker: 50,
        }
    }
}

/// A call of a worker that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerFailure {
    /// Its place among the failures of all workers, from 1.
    pub number: u64,
    /// The worker.
    pub worker: String,
    /// What it tried.
    pub input: String,
    /// What came of it.
    pub error: String,
    /// What makes two calls the same; empty where that is not known.
    #[serde(default)]
    pub fingerprint: String,
}

/// Something in the project that a worker looked at: a file, a command.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reference {
    /// What it is: the name of the tool that used it.
    pub kind: String,
    /// The path, command or pattern.
    pub value: String,
}

/// The checks, failures and references of all workers.
#[derive(Debug, Default)]
pub struct SharedContextState {
    config: SharedContextConfig,
    inner: Mutex<ContextData>,
}

/// What is stored of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ContextData {
    last_number: u64,
    checks: Checks,
    failures: IndexMap<String, VecDeque<WorkerFailure>>,
    references: VecDeque<Reference>,
}

impl SharedContextState {
    /// An empty state.
    pub fn new(config: SharedContextConfig) -> Self {
        Self {
            config,
            inner: Mutex::default(),
        }
    }

    /// Records a failure of a worker.
    pub fn record_failure(&self, worker_id: &str, input: &str, error: &str) {
        self.record_failed_call(worker_id, "", input, error);
    }

    /// Records a failed call of a worker.
    pub(super) fn record_failed_call(
        &self,
        worker_id: &str,
        fingerprint: &str,
        input: &str,
        error: &str,
    ) {
        let mut data = self.lock();
        data.last_number += 1;
        let failure = WorkerFailure {
            number: data.last_number,
            worker: worker_id.to_owned(),
            input: shortened(input),
            error: shortened(error),
            fingerprint: fingerprint.to_owned(),
        };
        let failures = data.failures.entry(worker_id.to_owned()).or_default();
        failures.push_back(failure);
        let surplus = failures
            .len()
            .saturating_sub(self.config.max_failures_per_worker);
        failures.drain(..surplus);
    }

    /// Records how a check of a worker went.
    pub fn record_check(&self, worker_id: &str, command: &str, passed: bool) {
        let mut data = self.lock();
        data.last_number += 1;
        let result = CheckResult {
            number: data.last_number,
            worker: worker_id.to_owned(),
            place: place(worker_id).to_owned(),
            passed,
            is_outdated: false,
        };
        let command = shortened(&first_line(command));
        data.checks.record(command, result);
    }

    /// A call has succeeded: that it failed before no longer matters.
    pub(super) fn call_succeeded(&self, fingerprint: &str) {
        for failures in self.lock().failures.values_mut() {
            failures.retain(|failure| failure.fingerprint != fingerprint);
        }
    }

    /// Files may have changed: what failed may succeed now.
    pub fn files_changed(&self) {
        let mut data = self.lock();
        data.failures.clear();
        data.checks.outdate();
    }

    /// How the checks went, as text for a model: of all workers, or what is newer than a number and of others.
    pub(super) fn check_lines(&self, counts: impl Fn(&CheckResult) -> bool) -> String {
        self.lock().checks.lines(counts)
    }

    /// The number of what was reported last.
    pub(super) fn last_number(&self) -> u64 {
        let data = self.lock();
        data.checks.last_number().max(data.last_number)
    }

    /// The failures of all workers, oldest first.
    pub fn failures(&self) -> Vec<WorkerFailure> {
        let data = self.lock();
        let mut failures: Vec<WorkerFailure> = data.failures.values().flatten().cloned().collect();
        failures.sort_by_key(|failure| failure.number);
        failures
    }

    /// The latest failures as text for a model, oldest first; empty without any.
    pub fn failure_context(&self, max_failures: usize) -> String {
        format_failures(&latest(self.failures(), max_failures))
    }

    /// What follows from failures that occurred more than once, the most frequent first.
    pub fn failure_insights(&self) -> Vec<String> {
        let mut counts: IndexMap<String, (usize, Vec<String>)> = IndexMap::new();
        for failure in self.failures() {
            let error = first_line(&failure.error);
            let (count, workers) = counts.entry(error).or_default();
            *count += 1;
            if !workers.contains(&failure.worker) {
                workers.push(failure.worker);
            }
        }
        counts.retain(|_, (count, _)| *count >= INSIGHT);
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let insight = |(error, (count, workers)): (String, (usize, Vec<String>))| {
            let workers = match workers.len() {
                1 => "one worker".to_owned(),
                workers => format!("{workers} workers"),
            };
            format!("Failed {count} times in {workers}: {error}")
        };
        counts.into_iter().map(insight).collect()
    }

    /// Adds references; one that is known becomes the latest.
    pub fn add_references(&self, references: impl IntoIterator<Item = Reference>) {
        let mut data = self.lock();
        for reference in references {
            data.references.retain(|known| *known != reference);
            data.references.push_back(reference);
        }
        let surplus = data
            .references
            .len()
            .saturating_sub(self.config.max_references);
        data.references.drain(..surplus);
    }

    /// The references whose kind or value contains a text, in any case; the latest first.
    pub fn search_references(&self, query: &str) -> Vec<Reference> {
        let query = query.to_lowercase();
        let contains = |text: &str| text.to_lowercase().contains(&query);
        let data = self.lock();
        let mut found: Vec<Reference> = data
            .references
            .iter()
            .filter(|one| contains(&one.kind) || contains(&one.value))
            .cloned()
            .collect();
        found.reverse();
        found
    }

    /// What is stored.
    pub(super) fn data(&self) -> ContextData {
        self.lock().clone()
    }

    /// Puts stored data in place of its own.
    pub(super) fn restore(&self, data: ContextData) {
        *self.lock() = data;
    }

    fn lock(&self) -> MutexGuard<'_, ContextData> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The latest of some failures.
pub(super) fn latest(mut failures: Vec<WorkerFailure>, most: usize) -> Vec<WorkerFailure> {
    let surplus = failures.len().saturating_sub(most);
    failures.drain(..surplus);
    failures
}

/// Failures as a list for a model.
pub(super) fn format_failures(failures: &[WorkerFailure]) -> String {
    let lines = failures.iter().map(|failure| {
        let (input, error) = (first_line(&failure.input), first_line(&failure.error));
        format!("- {input}: {error} (at {})\n", place(&failure.worker))
    });
    lines.collect()
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().unwrap_or_default().to_owned()
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(KEPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(value: &str) -> Reference {
        Reference {
            kind: "read_file".to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn failures_of_all_workers_are_formatted_and_the_oldest_forgotten() {
        let state = SharedContextState::new(SharedContextConfig {
            max_failures_per_worker: 2,
            ..SharedContextConfig::default()
        });
        for number in 1..=3 {
            state.record_failure(
                "one",
                &format!("shell call {number}"),
                "exit code 1\nlong output",
            );
        }
        state.record_failure("two", "read_file a.rs", "no such file");
        expect_test::expect![[r#"
            - shell call 2: exit code 1 (at one)
            - shell call 3: exit code 1 (at one)
            - read_file a.rs: no such file (at two)
        "#]]
        .assert_eq(&state.failure_context(10));
        assert_eq!(
            state.failure_context(1),
            "- read_file a.rs: no such file (at two)\n"
        );
        assert_eq!(SharedContextState::default().failure_context(10), "");
    }

    #[test]
    fn what_fails_again_becomes_an_insight() {
        let state = SharedContextState::default();
        state.record_failure("one", "shell curl", "connection refused");
        assert!(state.failure_insights().is_empty());
        state.record_failure("two", "shell curl -v", "connection refused");
        for _ in 0..3 {
            state.record_failure("one", "shell make", "no rule to make target `all`");
        }
        expect_test::expect![[r#"
            Failed 3 times in one worker: no rule to make target `all`
            Failed 2 times in 2 workers: connection refused"#]]
        .assert_eq(&state.failure_insights().join("\n"));
    }

    #[test]
    fn a_success_or_a_change_of_files_ends_a_failure() {
        let state = SharedContextState::default();
        state.record_failed_call("one/1-1", "a", "shell curl x", "refused");
        state.record_failed_call("one/1-1", "b", "shell curl y", "refused");
        state.call_succeeded("a");
        assert_eq!(
            state.failure_context(10),
            "- shell curl y: refused (at one)\n"
        );
        state.files_changed();
        assert_eq!(state.failure_context(10), "");
    }

    #[test]
    fn checks_have_a_state_for_each_place() {
        let state = SharedContextState::default();
        state.record_check("REPRO/1-1", "make test", false);
        state.record_check("FIX/1-1", "make test\n# all", false);
        state.files_changed();
        state.record_check("FIX/2-1", "make test", true);
        state.record_check("FIX/2-1", "make lint", false);
        assert_eq!(
            state.check_lines(|_| true),
            "- `make test`: failed at REPRO, passed at FIX\n- `make lint`: failed at FIX\n"
        );
        state.files_changed();
        assert_eq!(
            state.check_lines(|one| one.passed),
            "- `make test`: passed at FIX; files have changed since\n"
        );
    }

    #[test]
    fn references_are_pooled_without_duplicates() {
        let state = SharedContextState::new(SharedContextConfig {
            max_references: 3,
            ..SharedContextConfig::default()
        });
        state.add_references(["src/a.rs", "src/b.rs", "docs/a.md", "src/a.rs"].map(reference));
        let found = |query: &str| {
            let found = state.search_references(query);
            found
                .into_iter()
                .map(|one| one.value)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(found("A."), "src/a.rs docs/a.md");
        assert_eq!(found("read"), "src/a.rs docs/a.md src/b.rs");
        state.add_references([reference("new")]);
        assert_eq!(found(""), "new src/a.rs docs/a.md");
    }

    #[test]
    fn workers_record_at_the_same_time() {
        let state = SharedContextState::default();
        std::thread::scope(|scope| {
            for worker in 0..8 {
                let state = &state;
                scope.spawn(move || {
                    for number in 0..50 {
                        state.record_failure(&format!("w{worker}"), &number.to_string(), "no");
                    }
                });
            }
        });
        let failures = state.failures();
        assert_eq!(failures.len(), 400);
        assert!(
            failures
                .iter()
                .zip(1..)
                .all(|(failure, number)| failure.number == number)
        );
    }
}
