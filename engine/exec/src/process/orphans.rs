//! Finding and ending what a command left behind.
//!
//! A command may start others that leave its process group (`setsid`) and outlive it. Everything a step
//! starts carries two variables in its environment, and on Linux this process adopts orphans (it is their
//! *subreaper*), so a process that drops the variables as well is still found as an adopted child in a foreign
//! session. What an engine that died left is found by the variables and by its footprints. Signals never
//! go to a process that is none of these. Elsewhere only the group is known.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How long a group has between TERM and KILL.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// Names the run in the environment of everything it starts.
pub(crate) const RUN_MARK: &str = "ATTRACTOR_RUN";
/// Names the attempt.
pub(super) const STEP_MARK: &str = "ATTRACTOR_STEP";

/// The two ways to end a process.
#[derive(Debug, Clone, Copy)]
pub(super) enum Signal {
    Term,
    Kill,
}

/// What else may be ended with a run than what carries its mark.
pub enum OrphanScope<'f> {
    /// Nothing: other runs of this process are under way.
    Nothing,
    /// Every child that fell to this process.
    Adopted,
    /// What an earlier engine left, by the footprints in these files.
    Footprints(&'f [std::path::PathBuf]),
}

/// Groups of commands that run now, or ran and may have left something.
fn groups() -> &'static Mutex<HashSet<u32>> {
    static GROUPS: OnceLock<Mutex<HashSet<u32>>> = OnceLock::new();
    GROUPS.get_or_init(Mutex::default)
}

fn running() -> &'static Mutex<HashSet<u32>> {
    static RUNNING: OnceLock<Mutex<HashSet<u32>>> = OnceLock::new();
    RUNNING.get_or_init(Mutex::default)
}

/// A child that is waited for elsewhere, while this lives.
pub(super) struct Registration(Option<u32>);

/// Registers a child, so that no other code reaps it.
pub(super) fn register(pid: Option<u32>) -> Registration {
    if let Some(pid) = pid {
        running()
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(pid);
        groups()
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(pid);
    }
    Registration(pid)
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(pid) = &self.0 {
            running()
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(pid);
        }
    }
}

/// What a process says about where it belongs. It may have changed that itself.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) run: String,
    pub(super) step: String,
}

#[cfg(target_os = "linux")]
pub(super) use system::is_of_command;
pub(super) use system::{
    adopt_orphans, adopted_now, any_below, any_left, end_adopted, end_run, reap, signal_below,
    signal_group, signal_marked, started_by_commands,
};

#[cfg(target_os = "linux")]
mod system {
    use std::collections::{HashMap, HashSet};
    use std::sync::{Mutex, Once, PoisonError};
    use std::time::{Duration, Instant};

    use rustix::process::{self, Pid, WaitOptions};

    use super::super::footprint;
    use super::super::identity::Identity;
    use super::super::table::{
        Process, carries, children, descendants, processes, read, variables,
    };
    use super::{Marks, OrphanScope, RUN_MARK, STEP_MARK, Signal, groups, running};

    /// Makes this process the one that orphans fall to. Once is enough.
    pub(in crate::process) fn adopt_orphans() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // Where the kernel has no such thing, the marks have to do.
            let _ = process::set_child_subreaper(Some(process::getpid()));
        });
    }

    /// Signals every process of a group.
    pub(in crate::process) fn signal_group(group: Option<u32>, signal: Signal) {
        if let Some(group) = group.and_then(pid) {
            // An empty group is the goal.
            let _ = process::kill_process_group(group, native(signal));
        }
    }

    /// Signals every process that carries a mark.
    pub(in crate::process) fn signal_marked(mark: (&str, &str), signal: Signal) {
        for process in marked(mark) {
            kill(process.pid, signal);
        }
    }

    /// Whether a group or a mark still has a living process.
    pub(in crate::process) fn any_left(group: Option<u32>, mark: (&str, &str)) -> bool {
        let group = group.and_then(|group| i32::try_from(group).ok());
        others().any(|process| {
            !process.zombie && (Some(process.group) == group || carries(process.pid, mark))
        })
    }

    /// Stops the first process of a namespace, which ends all others when it ends, and signals these.
    pub(in crate::process) fn signal_below(first: Option<u32>, signal: Signal) {
        let Some(first) = first.and_then(|first| i32::try_from(first).ok()) else {
            return;
        };
        if let Some(first) = Pid::from_raw(first) {
            // It may have ended by itself.
            let _ = process::kill_process(first, process::Signal::STOP);
        }
        for below in descendants(first) {
            kill(below.pid, signal);
        }
    }

    /// Whether a namespace still has a living process besides its first one and the one that collects orphans there.
    pub(in crate::process) fn any_below(first: Option<u32>) -> bool {
        let first = first.and_then(|first| i32::try_from(first).ok());
        let below = first.map(descendants).unwrap_or_default();
        below.iter().filter(|process| !process.zombie).count() > 1
    }

    /// What fell to this process and lives.
    pub(in crate::process) fn adopted_now() -> Vec<(i32, u64)> {
        let session = read(me()).map_or(0, |process| process.session);
        let children = children(me()).into_iter().filter_map(read);
        children
            .filter(|child| {
                !child.zombie && !known(running(), child.pid) && is_adopted(child, session)
            })
            .map(|child| (child.pid, child.started))
            .collect()
    }

    /// Ends those of the processes that fell to this one that `is_ended` chooses, with everything below them. Blocks;
    /// gives how many processes that were.
    pub(in crate::process) fn end_adopted(
        grace: Duration,
        is_ended: impl Fn(&(i32, u64), &Marks) -> bool,
    ) -> usize {
        let mut ended = HashSet::new();
        end_all(grace, || {
            let chosen = adopted_now().into_iter().filter(|process| {
                // A process that has been chosen is not asked again: one that is just ending has no marks.
                ended.contains(process) || is_ended(process, &marks(process.0))
            });
            let chosen: Vec<(i32, u64)> = chosen.collect();
            ended.extend(chosen.iter().copied());
            let below = chosen.iter().flat_map(|(pid, _)| descendants(*pid));
            let below: Vec<(i32, u64)> = below.map(|one| (one.pid, one.started)).collect();
            ended.extend(below.iter().copied());
            chosen.into_iter().chain(below).collect()
        });
        ended.len()
    }

    fn marks(pid: i32) -> Marks {
        let [run, step] = variables(pid, [RUN_MARK, STEP_MARK]);
        Marks { run, step }
    }

    /// Ends everything a run has left: TERM, and KILL after `grace`. Blocks until all of it is gone and
    /// waited for, or twice that time is over; gives the processes that are still there then.
    pub(in crate::process) fn end_run(
        run: &str,
        grace: Duration,
        beyond: &OrphanScope<'_>,
    ) -> Vec<i32> {
        let mark = (RUN_MARK, run);
        let mut groups = beyond.groups();
        end_all(grace, || {
            let mut left: Vec<Process> = marked(mark).collect();
            left.extend(beyond.living(&mut groups));
            left.iter().map(|one| (one.pid, one.started)).collect()
        })
    }

    /// Ends what is `left`, each time that it is looked: TERM, and KILL after `grace`. Blocks until nothing is left and
    /// all of it was waited for, or twice that time is over; gives the processes that are still there then.
    fn end_all(grace: Duration, mut left: impl FnMut() -> Vec<(i32, u64)>) -> Vec<i32> {
        let begun = Instant::now();
        let mut signalled = HashMap::new();
        loop {
            reap();
            let left = left();
            // One that is just ending shows neither marks nor that it has ended.
            let ending = || {
                signalled.iter().any(|(pid, started)| {
                    read(*pid).is_some_and(|process| {
                        process.started == *started && (is_ours(&process) || !process.zombie)
                    })
                })
            };
            if left.is_empty() && !ending() || begun.elapsed() > grace * 2 {
                return left.into_iter().map(|(pid, _)| pid).collect();
            }
            let signal = if begun.elapsed() < grace {
                Signal::Term
            } else {
                Signal::Kill
            };
            for (pid, started) in left {
                kill(pid, signal);
                signalled.insert(pid, started);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    impl OrphanScope<'_> {
        /// The groups that were left. Only while its leader is there is a group surely the one that was.
        fn groups(&self) -> Vec<i32> {
            let Self::Footprints(files) = self else {
                return Vec::new();
            };
            files
                .iter()
                .filter_map(|file| footprint::read(file))
                .filter(Identity::exists)
                .map(|leader| leader.pid)
                .collect()
        }

        /// What lives of it. A group outlives its leader, and its number is not given away before its last
        /// process is gone; then it is forgotten.
        fn living(&self, groups: &mut Vec<i32>) -> Vec<Process> {
            let all: Vec<Process> = match self {
                Self::Nothing => Vec::new(),
                Self::Adopted => adopted().collect(),
                Self::Footprints(_) if groups.is_empty() => Vec::new(),
                Self::Footprints(_) => {
                    let known: Vec<Process> = others()
                        .filter(|process| groups.contains(&process.group))
                        .collect();
                    groups.retain(|group| known.iter().any(|process| process.group == *group));
                    known
                }
            };
            all.into_iter().filter(|process| !process.zombie).collect()
        }
    }

    fn is_ours(process: &Process) -> bool {
        process.parent == me()
    }

    /// Waits for adopted processes that have ended, so that none stays a zombie.
    pub(in crate::process) fn reap() {
        for process in adopted().filter(|process| process.zombie) {
            if let Some(pid) = Pid::from_raw(process.pid) {
                // Someone else may have been first.
                let _ = process::waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
    }

    /// Adopted children of this process that come from a command; no other code waits for them.
    fn adopted() -> impl Iterator<Item = Process> {
        // Not by `getsid`: in a container whose session began outside it, the kernel calls the session 0.
        let session = read(me()).map_or(0, |process| process.session);
        others().filter(move |process| {
            is_ours(process) && !known(running(), process.pid) && is_adopted(process, session)
        })
    }

    /// Whether a child of this process, which is in `session`, fell to it.
    fn is_adopted(process: &Process, session: i32) -> bool {
        process.session != session || known(groups(), process.group)
    }

    fn known(set: &Mutex<HashSet<u32>>, id: i32) -> bool {
        u32::try_from(id).is_ok_and(|id| {
            set.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .contains(&id)
        })
    }

    /// Every process that a command of this process started, as far as it is still there: below the commands that
    /// run, or below what fell to this process. Children of an embedding program are none of these.
    pub(in crate::process) fn started_by_commands() -> Vec<Process> {
        let mut all = Vec::new();
        for child in children(me()).into_iter().filter_map(read) {
            if is_of_command(child.pid) {
                all.extend(descendants(child.pid));
                all.push(child);
            }
        }
        all
    }

    /// Whether a child of this process is a command, or what a command has left. One that is gone is.
    pub(in crate::process) fn is_of_command(child: i32) -> bool {
        let session = read(me()).map_or(0, |process| process.session);
        known(running(), child) || read(child).is_none_or(|child| is_adopted(&child, session))
    }

    fn marked(mark: (&str, &str)) -> impl Iterator<Item = Process> {
        others().filter(move |process| !process.zombie && carries(process.pid, mark))
    }

    /// Every process but this one.
    fn others() -> impl Iterator<Item = Process> {
        let me = me();
        processes().filter(move |process| process.pid != me)
    }

    fn me() -> i32 {
        process::getpid().as_raw_nonzero().get()
    }

    fn kill(target: i32, signal: Signal) {
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
}

#[cfg(all(unix, not(target_os = "linux")))]
mod system {
    use std::time::Duration;

    use rustix::process::{self, Pid};

    use super::{OrphanScope, Signal};

    pub(in crate::process) fn adopt_orphans() {}

    pub(in crate::process) fn signal_group(group: Option<u32>, signal: Signal) {
        let signal = match signal {
            Signal::Term => process::Signal::TERM,
            Signal::Kill => process::Signal::KILL,
        };
        if let Some(group) = group.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) {
            // An empty group is the goal.
            let _ = process::kill_process_group(group, signal);
        }
    }

    pub(in crate::process) fn signal_marked(_mark: (&str, &str), _signal: Signal) {}

    pub(in crate::process) fn signal_below(_first: Option<u32>, _signal: Signal) {}

    pub(in crate::process) fn any_below(_first: Option<u32>) -> bool {
        false
    }

    pub(in crate::process) fn adopted_now() -> Vec<(i32, u64)> {
        Vec::new()
    }

    pub(in crate::process) fn end_adopted(
        _grace: Duration,
        _is_ended: impl Fn(&(i32, u64), &super::Marks) -> bool,
    ) -> usize {
        0
    }

    pub(in crate::process) fn any_left(_group: Option<u32>, _mark: (&str, &str)) -> bool {
        false
    }

    pub(in crate::process) fn end_run(
        _run: &str,
        _grace: Duration,
        _beyond: &OrphanScope<'_>,
    ) -> Vec<i32> {
        Vec::new()
    }

    pub(in crate::process) fn reap() {}

    pub(in crate::process) fn started_by_commands() -> Vec<super::super::table::Process> {
        Vec::new()
    }
}
