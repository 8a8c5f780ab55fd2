//! What a command left behind: what is in its group. Orphans fall to `launchd`, and no process shows its variables, so what
//! has left its group is not found.

use std::time::Duration;

use rustix::process::{self, Pid};

use super::process_table::Process;
use crate::process::children::between_starts;
use crate::process::marks::{EndedOrphans, Signal};
use crate::process::orphan_scope::OrphanScope;

/// Whether it is known what a command has started, however that has left its group.
pub(crate) const KNOWS_DESCENDANTS: bool = false;

pub(crate) fn adopt_orphans() {}

pub(crate) fn signal_group(group: Option<u32>, signal: Signal) {
    let signal = match signal {
        Signal::Term => process::Signal::TERM,
        Signal::Kill => process::Signal::KILL,
    };
    if let Some(group) = group.and_then(pid) {
        // An empty group is the goal.
        let _ = process::kill_process_group(group, signal);
    }
}

pub(crate) fn signal_marked(_mark: (&str, &str), _signal: Signal) {}

pub(crate) fn signal_below(_first: Option<u32>, _signal: Signal) {}

pub(crate) fn any_below(_first: Option<u32>) -> bool {
    false
}

pub(crate) fn adopted_now() -> Vec<(i32, u64)> {
    between_starts(Vec::new)
}

pub(crate) fn end_adopted(
    _grace: Duration,
    _is_ended: impl Fn(&(i32, u64), i32) -> bool,
) -> EndedOrphans {
    EndedOrphans::default()
}

/// Whether a group still has a process.
pub(crate) fn any_left(group: Option<u32>, _mark: (&str, &str)) -> bool {
    group
        .and_then(pid)
        .is_some_and(|group| process::test_kill_process_group(group).is_ok())
}

/// Ends what an earlier engine left, where that is surely known.
pub(crate) fn end_run(_run: &str, _grace: Duration, beyond: &OrphanScope<'_>) -> Vec<i32> {
    for group in beyond.groups() {
        signal_group(u32::try_from(group).ok(), Signal::Kill);
    }
    Vec::new()
}

pub(crate) fn reap() {}

pub(crate) fn is_renewing() -> bool {
    false
}

pub(crate) fn started_by_commands() -> Vec<Process> {
    Vec::new()
}

fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id).ok()?)
}
