//! Signals to processes and groups, and who this process is.

use rustix::process::{self, Pid};

use crate::process::marks::Signal;

pub(super) fn me() -> i32 {
    process::getpid().as_raw_nonzero().get()
}

pub(super) fn kill(target: i32, signal: Signal) {
    if let Some(target) = Pid::from_raw(target) {
        // It may have ended by itself.
        let _ = process::kill_process(target, native(signal));
    }
}

fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id).ok()?)
}

fn native(signal: Signal) -> process::Signal {
    match signal {
        Signal::Term => process::Signal::TERM,
        Signal::Kill => process::Signal::KILL,
    }
}

/// Signals every process of a group.
pub(crate) fn signal_group(group: Option<u32>, signal: Signal) {
    if let Some(group) = group.and_then(pid) {
        // An empty group is the goal.
        let _ = process::kill_process_group(group, native(signal));
    }
}
