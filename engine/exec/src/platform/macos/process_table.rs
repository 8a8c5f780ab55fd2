//! The table of processes: not read here, so that nothing is known of a process but its id.

use std::collections::HashSet;

/// What is known about a process.
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) zombie: bool,
    pub(crate) group: i32,
    /// When it started.
    pub(crate) started: u64,
}

/// What is known about the process with this id: nothing.
pub(crate) fn read(_pid: i32) -> Option<Process> {
    None
}

/// The sessions that processes are in: unknown.
pub(crate) fn sessions_of(_processes: &[Process]) -> HashSet<i32> {
    HashSet::new()
}

/// Which boot of the machine this is: unknown.
pub(crate) fn boot() -> Option<String> {
    None
}
