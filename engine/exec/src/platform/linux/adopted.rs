//! What fell to this process: the orphans of its commands.
//!
//! They are in the kernel's list of children of this process. A table of all processes, read one by one, can miss a
//! process that renews itself (it forks, the parent exits, and so on, a thousand times a second); this list always has one
//! of that chain. So the end of the others is: look, kill at once, look again, until the list is empty several times.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitOptions, waitpid};

use super::process_table::{Process, children, children_of_thread, descendants, read, variables};
use super::signals::{kill, me, signal_group};
use crate::process::children::{between_starts, groups, running};
use crate::process::marks::{EndedOrphans, Marks, RUN_MARK, STEP_MARK, Signal};

/// How often the list must be empty in succession: the kernel may leave out a process while others end.
const EMPTY_LOOKS: usize = 8;

/// How long processes are killed that come again.
const LIMIT: Duration = Duration::from_secs(5);

/// How long is waited before the next look, where all were killed already.
const PAUSE: Duration = Duration::from_millis(2);

/// What fell to this process and lives, or may have renewed itself just now.
pub(crate) fn adopted_now() -> Vec<(i32, u64)> {
    reap();
    let adopted = adopted(|| children(me())).into_iter();
    adopted.map(|child| (child.pid, child.started)).collect()
}

/// Ends those of the processes that fell to this one that `is_ended` chooses, with everything below them: TERM, and KILL
/// after `grace`. Blocks.
pub(crate) fn end_adopted(
    grace: Duration,
    is_ended: impl Fn(&(i32, u64), &Marks) -> bool,
) -> EndedOrphans {
    let mut ended = HashSet::new();
    let begun = Instant::now();
    while begun.elapsed() < grace {
        let chosen = choose(|| children(me()), &mut ended, &is_ended);
        if chosen.is_empty() {
            break;
        }
        for child in &chosen {
            let below = if child.zombie {
                Vec::new()
            } else {
                descendants(child.pid)
            };
            kill(child.pid, Signal::Term);
            for one in below {
                kill(one.pid, Signal::Term);
                ended.insert((one.pid, one.started));
            }
            wait(child.pid);
        }
        sleep(Duration::from_millis(20));
    }
    let has_survivor = !kill_all(&mut ended, is_ended);
    EndedOrphans {
        count: ended.len(),
        has_survivor,
    }
}

/// Kills everything that fell to this process, until there is nothing more. Blocks; gives whether there is nothing.
pub(crate) fn kill_adopted() -> bool {
    kill_all(&mut HashSet::new(), |_, _| true)
}

/// Kills what `is_ended` chooses until there is nothing more, and gives whether that is so within the limit.
fn kill_all(
    ended: &mut HashSet<(i32, u64)>,
    is_ended: impl Fn(&(i32, u64), &Marks) -> bool,
) -> bool {
    let begun = Instant::now();
    let mut empty = 0;
    while empty < EMPTY_LOOKS {
        if begun.elapsed() > LIMIT {
            return false;
        }
        let before = ended.len();
        // Orphans fall to the first thread: its list alone is read faster than a process renews itself.
        let mut chosen = choose(|| children_of_thread(me(), me()), ended, &is_ended);
        if chosen.is_empty() {
            chosen = choose(|| children(me()), ended, &is_ended);
        }
        empty = if chosen.is_empty() { empty + 1 } else { 0 };
        let is_waiting = !chosen.is_empty() && ended.len() == before;
        for child in chosen {
            kill(child.pid, Signal::Kill);
            kill_group_of(&child);
            wait(child.pid);
        }
        if is_waiting {
            sleep(PAUSE);
        }
    }
    true
}

/// Those children that are to be ended, or have ended: of a process that renews itself the rest is many. One that has been
/// chosen is not asked again: one that is just ending has no marks.
fn choose(
    children: impl FnOnce() -> Vec<i32>,
    ended: &mut HashSet<(i32, u64)>,
    is_ended: impl Fn(&(i32, u64), &Marks) -> bool,
) -> Vec<Process> {
    let chosen = adopted(children).into_iter().filter(|child| {
        let one = (child.pid, child.started);
        child.zombie || ended.contains(&one) || is_ended(&one, &marks(child.pid))
    });
    let chosen: Vec<Process> = chosen.collect();
    ended.extend(chosen.iter().map(|child| (child.pid, child.started)));
    chosen
}

/// A group has the next process of a chain before this process sees it. Commands that run, and what they may still start,
/// are in other groups.
fn kill_group_of(process: &Process) {
    let own = read(me()).map_or(0, |me| me.group);
    if process.group > 1 && process.group != own && !is_known(running(), process.group) {
        signal_group(u32::try_from(process.group).ok(), Signal::Kill);
    }
}

/// Waits for adopted processes that have ended, so that none stays a zombie.
pub(crate) fn reap() {
    let adopted = adopted(|| children(me())).into_iter();
    for process in adopted.filter(|process| process.zombie) {
        wait(process.pid);
    }
}

/// Takes in the end of a child, if it has ended; no other code waits for it.
fn wait(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // Someone else may have been first.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

/// Those of these children that come from a command that has ended.
fn adopted(children: impl FnOnce() -> Vec<i32>) -> Vec<Process> {
    // Not by `getsid`: in a container whose session began outside it, the kernel calls the session 0.
    let session = read(me()).map_or(0, |process| process.session);
    between_starts(|| {
        let children = children().into_iter().filter_map(read);
        let adopted = children.filter(|child| {
            child.parent == me() && !is_known(running(), child.pid) && is_adopted(child, session)
        });
        adopted.collect()
    })
}

/// Whether a child of this process, which is in `session`, fell to it.
fn is_adopted(process: &Process, session: i32) -> bool {
    process.session != session || is_known(groups(), process.group)
}

/// The children of this process that live and are commands, or what a command has left.
pub(crate) fn of_commands() -> Vec<Process> {
    // What has ended can be much, and each would be looked at again and again.
    reap();
    let session = read(me()).map_or(0, |process| process.session);
    let children = children(me()).into_iter().filter_map(read);
    children
        .filter(|child| {
            !child.zombie && (is_known(running(), child.pid) || is_adopted(child, session))
        })
        .collect()
}

/// Whether a child of this process is a command, or what a command has left. One that is gone is.
pub(crate) fn is_of_command(child: i32) -> bool {
    let session = read(me()).map_or(0, |process| process.session);
    is_known(running(), child) || read(child).is_none_or(|child| is_adopted(&child, session))
}

fn marks(pid: i32) -> Marks {
    let [run, step] = variables(pid, [RUN_MARK, STEP_MARK]);
    Marks { run, step }
}

/// Whether a process or a group is in a register.
fn is_known(set: &Mutex<HashSet<u32>>, id: i32) -> bool {
    let set = set.lock().unwrap_or_else(PoisonError::into_inner);
    u32::try_from(id).is_ok_and(|id| set.contains(&id))
}
