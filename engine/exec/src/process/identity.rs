//! Which process something belongs to, so that it is recognised after its id was given to another process.
//!
//! A process id alone is ambiguous: ids are reused. Together with the time the process started and the boot of
//! the machine it names one process. Where the system does not report start times (macOS), the id has to do.

use serde::{Deserialize, Serialize};

use crate::platform::process_table;

/// A process.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Its id.
    pub pid: i32,
    /// When it started, in clock ticks since the boot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
    /// The boot of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot: Option<String>,
}

impl Identity {
    /// The process with this id now.
    pub fn of(pid: i32) -> Self {
        Self {
            pid,
            started: process_table::read(pid).map(|process| process.started),
            boot: process_table::boot(),
        }
    }

    /// This process.
    pub fn current() -> Self {
        Self::of(i32::try_from(std::process::id()).unwrap_or_default())
    }

    /// Whether the system said when it started, so that it cannot be confused with another process.
    pub(super) fn is_certain(&self) -> bool {
        self.started.is_some() && self.boot.is_some()
    }

    /// Whether it is running.
    pub fn is_alive(&self) -> bool {
        match process_table::read(self.pid) {
            Some(process) => !process.zombie && self.is_same(&process),
            None => process_table::boot().is_none() && answers(self.pid),
        }
    }

    /// Whether it is running, or has ended and was not waited for yet.
    pub(super) fn exists(&self) -> bool {
        process_table::read(self.pid).is_some_and(|process| self.is_same(&process))
    }

    fn is_same(&self, process: &process_table::Process) -> bool {
        self.started
            .is_none_or(|started| started == process.started)
            && (self.boot.is_none() || self.boot == process_table::boot())
    }
}

/// Whether a signal could be sent to a process.
fn answers(pid: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(pid)
        .filter(|_| pid > 0)
        .is_some_and(|pid| !matches!(test_kill_process(pid), Err(Errno::SRCH)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_reported_from_a_later_one_with_its_id() {
        let me = Identity::current();
        assert!(me.is_alive());
        let earlier = Identity {
            started: me.started.map(|started| started.saturating_sub(1)),
            ..me.clone()
        };
        assert_eq!(earlier.is_alive(), me.started.is_none());
        let other_boot = Identity {
            boot: me.boot.as_ref().map(|boot| format!("{boot}x")),
            ..me.clone()
        };
        assert_eq!(other_boot.is_alive(), me.boot.is_none());
        assert!(!Identity::default().is_alive());
    }
}
