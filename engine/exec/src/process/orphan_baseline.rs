//! What commands of one agent left running.
//!
//! Everything that outlives a command falls to this process, whatever it did to its environment. It belongs to the agent
//! unless it was there before the agent, or carries the marks of a run under way and of a step that ran a command: then
//! it belongs to that step and is ended with its run.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::orphans::{self, EndedOrphans, GRACE};
use super::watchdog;

/// The processes that had fallen to this one when an agent began.
#[derive(Debug, Default)]
pub(crate) struct OrphanBaseline(HashSet<(i32, u64)>);

impl OrphanBaseline {
    /// Those that have by now.
    pub(crate) fn now() -> Self {
        orphans::adopt_orphans();
        Self(orphans::adopted_now().into_iter().collect())
    }

    /// Whether there is one more now. Where that cannot be known there is.
    pub(crate) fn has_more(&self) -> bool {
        !orphans::KNOWS_DESCENDANTS
            || orphans::adopted_now()
                .iter()
                .any(|process| !self.0.contains(process))
    }

    /// Ends what commands of a step left running: TERM, and KILL two seconds later.
    pub(crate) async fn end(&self, run: &str, step: &str) -> EndedOrphans {
        let known = self.0.clone();
        let own = format!("{run}/{step}/");
        let ended = tokio::task::spawn_blocking(move || {
            let is_ended = |process: &(i32, u64), marks: &orphans::Marks| {
                !known.contains(process) && (marks.step.starts_with(&own) || !is_claimed(marks))
            };
            orphans::end_adopted(GRACE, is_ended)
        });
        // One that broke down has ended nothing.
        ended.await.unwrap_or(EndedOrphans {
            count: 0,
            has_survivor: true,
        })
    }
}

/// The steps that ran a command in this process.
fn steps() -> &'static Mutex<HashSet<String>> {
    static STEPS: OnceLock<Mutex<HashSet<String>>> = OnceLock::new();
    STEPS.get_or_init(Mutex::default)
}

/// Remembers a step that runs a command.
pub(super) fn began(step: &str) {
    let mut steps = steps().lock().unwrap_or_else(PoisonError::into_inner);
    if !steps.contains(step) {
        steps.insert(step.to_owned());
    }
}

/// Whether a process belongs to a step of a run under way.
fn is_claimed(marks: &orphans::Marks) -> bool {
    let steps = steps().lock().unwrap_or_else(PoisonError::into_inner);
    watchdog::is_under_way(&marks.run) && steps.contains(&marks.step)
}
