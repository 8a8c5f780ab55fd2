//! What fell to this process: the orphans of its commands.
//!
//! They are in the kernel's list of children of this process. A table of all processes, read one by one, can miss a
//! process that renews itself (it forks, the parent exits, and so on, ten thousand times a second); this list always has
//! one of that chain. But what it leaves as zombies makes the list long and slow. So the newest processes are killed first,
//! each at once with its group, until none lives; then those in the list, until that is empty several times.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitOptions, waitpid};

use super::process_table::{Process, children, children_of_thread, descendants, newest, read};
use super::signals::{kill, me, signal_group};
use crate::process::children::{between_starts, groups, running};
use crate::process::marks::{EndedOrphans, Signal};

/// How often the list must be empty in succession: the kernel may leave out a process while others end.
const EMPTY_LOOKS: usize = 8;

/// How long processes are killed that come again.
const LIMIT: Duration = Duration::from_secs(3);

/// How long is waited before the next look, where all were killed already.
const PAUSE: Duration = Duration::from_millis(2);

/// More of the newest processes than a command leaves as orphans that end at once.
const MANY: usize = 64;

/// How long it is looked at a time which processes have ended.
const REAPING: Duration = Duration::from_millis(100);

/// Which orphans are ended: process and start, and the session.
pub(crate) trait IsEnded: Fn(&(i32, u64), i32) -> bool {}

impl<F: Fn(&(i32, u64), i32) -> bool> IsEnded for F {}

/// What fell to this process and lives, or may have renewed itself just now.
pub(crate) fn adopted_now() -> Vec<(i32, u64)> {
    reap();
    let adopted = adopted(|| children(me())).into_iter();
    adopted.map(|child| (child.pid, child.started)).collect()
}

/// Ends those of the processes that fell to this one that `is_ended` chooses, with everything below them: TERM, and KILL
/// after `grace`. Blocks, for `grace` and three seconds at most.
pub(crate) fn end_adopted(grace: Duration, is_ended: impl IsEnded) -> EndedOrphans {
    end_adopted_within(grace, LIMIT, is_ended)
}

fn end_adopted_within(grace: Duration, limit: Duration, is_ended: impl IsEnded) -> EndedOrphans {
    let mut ended = HashSet::new();
    let begun = Instant::now();
    // What renews itself would not end by TERM.
    while begun.elapsed() < grace && !is_renewing() {
        reap();
        let chosen = choose(|| children(me()), &mut ended, &is_ended);
        if chosen.is_empty() {
            break;
        }
        for child in chosen {
            kill((child.pid, child.started), Signal::Term);
            for one in descendants(child.pid) {
                kill((one.pid, one.started), Signal::Term);
                ended.insert((one.pid, one.started));
            }
        }
        sleep(Duration::from_millis(20));
    }
    let has_survivor = !kill_all(&mut ended, limit, is_ended);
    EndedOrphans {
        count: ended.len(),
        has_survivor,
    }
}

/// Kills everything that fell to this process, until there is nothing more. Blocks; gives whether there is nothing.
pub(crate) fn kill_adopted() -> bool {
    kill_all(&mut HashSet::new(), LIMIT, |_: &_, _| true)
}

/// Kills what `is_ended` chooses until there is nothing more, and gives whether that is so within the limit.
fn kill_all(ended: &mut HashSet<(i32, u64)>, limit: Duration, is_ended: impl IsEnded) -> bool {
    let end = Instant::now() + limit;
    let (mut quiet, mut empty) = (0, 0);
    let mut has_living = true;
    while empty < EMPTY_LOOKS {
        if Instant::now() > end {
            // To wait for what has ended may take longer, when it is much.
            return !has_living;
        }
        if quiet < EMPTY_LOOKS {
            let (_, living) = kill_each(newest(), ended, &is_ended);
            quiet = if living == 0 { quiet + 1 } else { 0 };
            continue;
        }
        // Orphans fall to the first thread: its list alone is read faster.
        let mut looked = kill_listed(children_of_thread(me(), me()), ended, &is_ended);
        if looked == (0, 0) {
            looked = kill_listed(children(me()), ended, &is_ended);
        }
        let (zombies, living) = looked;
        has_living = living > 0;
        let found = zombies + living;
        empty = if found == 0 { empty + 1 } else { 0 };
        if found > 0 {
            quiet = 0;
            sleep(PAUSE);
        }
    }
    true
}

/// Kills those of these children that are to be ended, and takes in the end of all that have ended. Gives how many had
/// ended, and how many were killed.
fn kill_listed(
    children: Vec<i32>,
    ended: &mut HashSet<(i32, u64)>,
    is_ended: &impl IsEnded,
) -> (usize, usize) {
    let processes = children.into_iter().rev().filter_map(read);
    let (zombies, living) = kill_each(processes, ended, is_ended);
    let count = zombies.len();
    zombies.into_iter().for_each(wait);
    (count, living)
}

/// Kills those of these processes that fell to this one and are to be ended, each as soon as it is seen, and its group: that
/// has the next process of a chain before this process sees it, and still has it when this one has ended. Gives those that
/// have ended, and how many lived.
fn kill_each(
    processes: impl Iterator<Item = Process>,
    ended: &mut HashSet<(i32, u64)>,
    is_ended: &impl IsEnded,
) -> (Vec<i32>, usize) {
    let (own_group, session) = own();
    let mut killed_groups = HashSet::new();
    let mut zombies = Vec::new();
    let mut living = 0;
    between_starts(|| {
        for child in processes.filter(|process| fell_to_this(process, session)) {
            if child.zombie {
                zombies.push(child.pid);
            }
            if !is_chosen(&child, ended, is_ended) {
                continue;
            }
            if !child.zombie {
                living += 1;
                kill((child.pid, child.started), Signal::Kill);
            }
            if has_own_group(&child, own_group) && killed_groups.insert(child.group) {
                signal_group(u32::try_from(child.group).ok(), Signal::Kill);
            }
            ended.insert((child.pid, child.started));
        }
    });
    (zombies, living)
}

/// Whether so many of the newest processes fell to this one and have ended that something renews itself all the time.
pub(crate) fn is_renewing() -> bool {
    let (_, session) = own();
    let ended = newest().filter(|one| one.zombie && fell_to_this(one, session));
    ended.count() > MANY
}

/// Those living children that are to be ended.
fn choose(
    children: impl FnOnce() -> Vec<i32>,
    ended: &mut HashSet<(i32, u64)>,
    is_ended: &impl IsEnded,
) -> Vec<Process> {
    let mut chosen = adopted(children);
    chosen.retain(|child| !child.zombie && is_chosen(child, ended, is_ended));
    ended.extend(chosen.iter().map(|child| (child.pid, child.started)));
    chosen
}

fn is_chosen(child: &Process, ended: &HashSet<(i32, u64)>, is_ended: &impl IsEnded) -> bool {
    let one = (child.pid, child.started);
    ended.contains(&one) || is_ended(&one, child.session)
}

/// Whether a process is in a group that is neither this one's nor that of a command that runs or may still be started.
fn has_own_group(process: &Process, own: i32) -> bool {
    process.group > 1 && process.group != own && !is_known(running(), process.group)
}

/// Waits for adopted processes that have ended, so that none stays a zombie; of very many not for all.
pub(crate) fn reap() {
    let (_, session) = own();
    let mut zombies = Vec::new();
    between_starts(|| {
        let children = children(me()).into_iter();
        let begun = Instant::now();
        for child in children.take_while(|_| begun.elapsed() < REAPING) {
            let child = read(child).filter(|child| child.zombie && fell_to_this(child, session));
            zombies.extend(child.map(|child| child.pid));
        }
    });
    zombies.into_iter().for_each(wait);
}

/// Takes in the end of an adopted process; no other code waits for it.
fn wait(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // Someone else may have been first.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
}

/// The group and the session of this process. Not by `getsid`: in a container whose session began outside it, the kernel
/// calls the session 0.
fn own() -> (i32, i32) {
    read(me()).map_or((0, 0), |own| (own.group, own.session))
}

/// Those of these children that come from a command that has ended.
fn adopted(children: impl FnOnce() -> Vec<i32>) -> Vec<Process> {
    let (_, session) = own();
    between_starts(|| {
        let children = children().into_iter().filter_map(read);
        children
            .filter(|child| fell_to_this(child, session))
            .collect()
    })
}

/// Whether a process is a child of this one, which is in `session`, and comes from a command that has ended.
fn fell_to_this(child: &Process, session: i32) -> bool {
    child.parent == me() && !is_known(running(), child.pid) && is_adopted(child, session)
}

/// Whether a child of this process, which is in `session`, fell to it.
fn is_adopted(process: &Process, session: i32) -> bool {
    process.session != session || is_known(groups(), process.group)
}

/// The children of this process that live and are commands, or what a command has left.
pub(crate) fn of_commands() -> Vec<Process> {
    // What has ended can be much, and each would be looked at again and again.
    reap();
    let (_, session) = own();
    let children = children(me()).into_iter().filter_map(read);
    children
        .filter(|child| {
            !child.zombie && (is_known(running(), child.pid) || is_adopted(child, session))
        })
        .collect()
}

/// Whether a child of this process is a command, or what a command has left. One that is gone is.
pub(crate) fn is_of_command(child: i32) -> bool {
    let (_, session) = own();
    is_known(running(), child) || read(child).is_none_or(|child| is_adopted(&child, session))
}

/// Whether a process or a group is in a register.
fn is_known(set: &Mutex<HashSet<u32>>, id: i32) -> bool {
    let set = set.lock().unwrap_or_else(PoisonError::into_inner);
    u32::try_from(id).is_ok_and(|id| set.contains(&id))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::platform::orphans::adopt_orphans;

    #[test]
    fn what_is_not_ended_in_time_is_reported() {
        adopt_orphans();
        let started = Command::new("sh")
            .args([
                "-c",
                "setsid sh -c 'trap \"\" TERM; sleep 1000' >/dev/null 2>&1 & echo $!",
            ])
            .output()
            .unwrap();
        let pid: i32 = String::from_utf8_lossy(&started.stdout)
            .trim()
            .parse()
            .unwrap();
        let is_ended = |one: &(i32, u64), _: i32| one.0 == pid;
        let none = Duration::ZERO;
        assert!(end_adopted_within(none, none, is_ended).has_survivor);
        assert!(!end_adopted_within(none, LIMIT, is_ended).has_survivor);
        assert!(read(pid).is_none());
    }
}
