//! Signals to processes and groups, and who this process is.

use rustix::io::Errno;
use rustix::process::{self, Pid, PidfdFlags};

use super::process_table::read;
use crate::process::marks::Signal;

pub(super) fn me() -> i32 {
    process::getpid().as_raw_nonzero().get()
}

/// Signals a process that began at `started`, and no other: where processes are many, the number of one that has ended is
/// that of another soon.
pub(super) fn kill((pid, started): (i32, u64), signal: Signal) {
    let Some(number) = Pid::from_raw(pid) else {
        return;
    };
    let handle = process::pidfd_open(number, PidfdFlags::empty());
    if read(pid).is_none_or(|now| now.started != started) {
        return;
    }
    // It may have ended by itself.
    let _ = match handle {
        Ok(handle) => process::pidfd_send_signal(&handle, native(signal)),
        // An old kernel, or a sandbox around this process.
        Err(Errno::NOSYS | Errno::PERM) => process::kill_process(number, native(signal)),
        Err(_) => return,
    };
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

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use super::*;

    #[test]
    fn only_the_process_that_is_meant_is_signalled() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let started = read(pid).unwrap().started;
        kill((pid, started - 1), Signal::Kill);
        assert!(child.try_wait().unwrap().is_none());
        kill((pid, started), Signal::Term);
        assert_eq!(child.wait().unwrap().signal(), Some(15));
    }
}
