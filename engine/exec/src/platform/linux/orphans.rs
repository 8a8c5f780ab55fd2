//! What a command left behind: by its marks, by its group, and because orphans fall to this process.

use std::collections::HashMap;
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::process::{self, Pid};

pub(crate) use super::adopted::{adopted_now, end_adopted, is_renewing, reap};
use super::adopted::{kill_adopted, of_commands};
use super::process_table::{Process, carries, descendants, processes, read};
pub(crate) use super::signals::signal_group;
use super::signals::{kill, me};
use crate::process::marks::{RUN_MARK, Signal};
use crate::process::orphan_scope::OrphanScope;

/// Whether it is known what a command has started, however that has left its group.
pub(crate) const KNOWS_DESCENDANTS: bool = true;

/// Makes this process the one that orphans fall to. Once is enough.
pub(crate) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Where the kernel has no such thing, the marks have to do.
        let _ = process::set_child_subreaper(Some(process::getpid()));
    });
}

/// Signals every process that carries a mark.
pub(crate) fn signal_marked(mark: (&str, &str), signal: Signal) {
    for process in marked(mark) {
        kill((process.pid, process.started), signal);
    }
}

/// Whether a group or a mark still has a living process.
pub(crate) fn any_left(group: Option<u32>, mark: (&str, &str)) -> bool {
    let group = group.and_then(|group| i32::try_from(group).ok());
    others().any(|process| {
        !process.zombie && (Some(process.group) == group || carries(process.pid, mark))
    })
}

/// Stops the first process of a namespace, which ends all others when it ends, and signals these.
pub(crate) fn signal_below(first: Option<u32>, signal: Signal) {
    let Some(first) = first.and_then(|first| i32::try_from(first).ok()) else {
        return;
    };
    if let Some(first) = Pid::from_raw(first) {
        // It may have ended by itself.
        let _ = process::kill_process(first, process::Signal::STOP);
    }
    for below in descendants(first) {
        kill((below.pid, below.started), signal);
    }
}

/// Whether a namespace still has a living process besides its first one and the one that collects orphans there.
pub(crate) fn any_below(first: Option<u32>) -> bool {
    let first = first.and_then(|first| i32::try_from(first).ok());
    let below = first.map(descendants).unwrap_or_default();
    below.iter().filter(|process| !process.zombie).count() > 1
}

/// Ends everything a run has left: TERM, and KILL after `grace`. Blocks until all of it is gone and
/// waited for, or twice that time is over; gives the processes that are still there then.
pub(crate) fn end_run(run: &str, grace: Duration, beyond: &OrphanScope<'_>) -> Vec<i32> {
    if matches!(beyond, OrphanScope::Adopted) && is_renewing() {
        // Whatever else is looked at takes long until then.
        kill_adopted();
    }
    let mark = (RUN_MARK, run);
    let mut groups = beyond.groups();
    let left = end_all(grace, || {
        let mut left: Vec<Process> = marked(mark).collect();
        left.extend(beyond.living(&mut groups));
        left.iter().map(|one| (one.pid, one.started)).collect()
    });
    if matches!(beyond, OrphanScope::Adopted) && !kill_adopted() {
        return adopted_now().into_iter().map(|(pid, _)| pid).collect();
    }
    left
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
            kill((pid, started), signal);
            signalled.insert(pid, started);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl OrphanScope<'_> {
    /// What lives of it. A group outlives its leader, and its number is not given away before its last
    /// process is gone; then it is forgotten.
    fn living(&self, groups: &mut Vec<i32>) -> Vec<Process> {
        let all: Vec<Process> = match self {
            Self::Nothing => Vec::new(),
            Self::Adopted => adopted_now()
                .into_iter()
                .filter_map(|(pid, _)| read(pid))
                .collect(),
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

/// Every process that a command of this process started, as far as it is still there: below the commands that
/// run, or below what fell to this process. Children of an embedding program are none of these.
pub(crate) fn started_by_commands() -> Vec<Process> {
    let mut all = Vec::new();
    for child in of_commands() {
        all.extend(descendants(child.pid));
        all.push(child);
    }
    all
}

fn marked(mark: (&str, &str)) -> impl Iterator<Item = Process> {
    others().filter(move |process| !process.zombie && carries(process.pid, mark))
}

/// Every process but this one.
fn others() -> impl Iterator<Item = Process> {
    let me = me();
    processes().filter(move |process| process.pid != me)
}
