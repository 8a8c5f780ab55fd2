//! What commands of one agent left running.
//!
//! Everything that outlives a command falls to this process, whatever it did to its environment. It belongs to the agent
//! unless it was there before the agent, or is in the session of a command of another step of a run under way: then it
//! belongs to that step and is ended with its run. Its variables do not matter, since anybody can set them.

use std::collections::HashSet;
use std::sync::Arc;

use super::orphans::{self, EndedOrphans, GRACE};
use super::sessions::{SessionOwner, owner_of};
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
            || orphans::is_renewing()
            || orphans::adopted_now()
                .iter()
                .any(|process| !self.0.contains(process))
    }

    /// Ends what commands of a step left running: TERM, and KILL two seconds later.
    pub(crate) async fn end(&self, run: &str, step: &str) -> EndedOrphans {
        let known = self.0.clone();
        let own = format!("{run}/{step}/");
        let end = move || {
            // So that no session counts in which nothing is any more.
            watchdog::look();
            let is_ended = |process: &(i32, u64), session: i32| {
                let is_of_other = |owner: &SessionOwner| !owner.step.starts_with(&own);
                !known.contains(process) && !owner_of(session).as_ref().is_some_and(is_of_other)
            };
            orphans::end_adopted(GRACE, is_ended)
        };
        // Not on a thread of the runtime: what there is to end may have left no number for another.
        let (sender, ended) = tokio::sync::oneshot::channel();
        let end = Arc::new(end);
        let work = Arc::clone(&end);
        let thread = std::thread::Builder::new().spawn(move || sender.send(work()));
        if thread.is_err() {
            return end();
        }
        // One that broke down has ended nothing.
        ended.await.unwrap_or(EndedOrphans {
            count: 0,
            has_survivor: true,
        })
    }
}
