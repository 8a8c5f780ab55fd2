//! Ends commands when the engine dies without a word: `kill -9`, the out-of-memory killer, a crash.
//!
//! One small shell per engine process listens on a pipe. The engine sends it which runs and groups
//! exist, and which processes left their group: nothing else leads to one that dropped its environment too
//! (`env -i setsid …`). When the pipe closes, whatever is still listed gets TERM, with everything below it, and
//! KILL a second later. A process that ends well empties the list first, so its watchdog leaves at once and
//! touches nothing.
//!
//! Not `PR_SET_PDEATHSIG`: it follows the *thread* that forked (a worker of the runtime comes and goes), is
//! not inherited by what the command starts, and needs code between fork and exec. A pipe has none of this,
//! and works on every Unix.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use ulid::Ulid;

use super::orphans::{RUN_MARK, STEP_MARK, is_renewing, started_by_commands};
use super::sessions;
use crate::platform::process_table::sessions_of;

/// Names this process in the environment of everything it starts.
pub(super) const ENGINE_MARK: &str = "ATTRACTOR_ENGINE";

/// The name: no other process ever has it.
pub(super) static ENGINE: LazyLock<String> = LazyLock::new(|| Ulid::generate().to_string());

/// What the watchdog is called in a list of processes.
const NAME: &str = "attractor-watchdog";

/// `run ID`, `over ID`, `began GROUP`, `ended GROUP`, `left PID:STARTED`, `gone PID:STARTED`, a line each; `$1`
/// is the mark of the engine. After the name in `/proc/PID/stat` come the state, the parent, the group and, as the
/// twentieth word, the start. Where there is no `/proc`, groups have to do.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
runs=' ' groups=' ' left=' '
drop() { case $1 in *" $2 "*) list="${1%% $2 *} ${1#* $2 }" ;; *) list=$1 ;; esac; }
while read -r word value; do
  case $word in
    run) runs="$runs$value " ;;
    over) drop "$runs" "$value"; runs=$list ;;
    began) groups="$groups$value " ;;
    ended) drop "$groups" "$value"; groups=$list ;;
    left) left="$left$value " ;;
    gone) drop "$left" "$value"; left=$list ;;
  esac
done
[ "$runs$groups$left" = '   ' ] && exit
look() {
  pid=${1#/proc/} pid=${pid%/stat}
  read -r line < "$1" || return
  set -- ${line##*) }
  one="$pid:${20}"
  case $known in *" $one "*) return ;; esac
  case $left in *" $one "*) ;; *)
    case $groups in *" $3 "*) ;; *)
      case $parents in *" $2 "*) ;; *) return ;; esac
    esac
  esac
  known="$known$one " parents="$parents$pid " more=1
}
find_all() {
  known=' ' parents=' ' more=1
  while [ "$more" ]; do
    more=
    for stat in /proc/[0-9]*/stat; do look "$stat"; done
  done 2>/dev/null
}
signal() {
  find_all
  left="$left${known# }"
  for group in $groups; do kill -s "$2" -- "-$group"; done
  for one in $known; do kill -s "$2" "${one%:*}"; done
  for file in $(grep -lszx "ATTRACTOR_ENGINE=$1" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -s "$2" "${pid%/environ}"
  done
}
signal "$1" TERM
sleep 1
signal "$1" KILL
"#;

/// A watchdog that was started, and the pipe to it.
struct Watchdog {
    process: Child,
    pipe: ChildStdin,
}

/// The watchdog, and what it should know.
#[derive(Default)]
struct WatchdogHandle {
    watchdog: Option<Watchdog>,
    runs: BTreeSet<String>,
    groups: BTreeSet<u32>,
    /// Processes that are in none of these groups, with the time they started.
    left: BTreeSet<(i32, u64)>,
}

static WATCHDOG: Mutex<Option<WatchdogHandle>> = Mutex::new(None);

/// A command that dies with the engine, while this lives.
pub(super) struct WatchdogGuard(Option<u32>);

/// Lets the watchdog know of a command that has begun.
pub(super) fn guard(run: &str, group: Option<u32>) -> WatchdogGuard {
    let mut handle = handle();
    let handle = handle.get_or_insert_default();
    if handle.runs.insert(run.to_owned()) {
        handle.send("run", run);
    }
    if let Some(group) = group.filter(|group| handle.groups.insert(*group)) {
        handle.send("began", &group.to_string());
    }
    WatchdogGuard(group)
}

/// Nothing of this run is left.
pub(super) fn over(run: &str) {
    sessions::forget_run(run);
    if let Some(handle) = handle().as_mut()
        && handle.runs.remove(run)
    {
        handle.send("over", run);
        handle.look();
    }
}

/// Lets the watchdog know which processes have left their group.
pub(super) fn look() {
    if let Some(handle) = handle().as_mut() {
        handle.look();
    }
}

impl Drop for WatchdogGuard {
    fn drop(&mut self) {
        if let (Some(group), Some(handle)) = (self.0, handle().as_mut()) {
            handle.groups.remove(&group);
            handle.send("ended", &group.to_string());
            // What the command leaves running in its group is now in none.
            handle.look();
        }
    }
}

fn handle() -> MutexGuard<'static, Option<WatchdogHandle>> {
    WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WatchdogHandle {
    /// Sends which processes have left their group, and which of those are gone. A watchdog that was killed is
    /// replaced.
    fn look(&mut self) {
        self.replace_dead();
        // What it is sent of processes that renew themselves is out of date when it reads it.
        if is_renewing() {
            return;
        }
        let is_listed = |group: i32| u32::try_from(group).is_ok_and(|id| self.groups.contains(&id));
        let started = started_by_commands();
        sessions::forget_but(&sessions_of(&started));
        let now: BTreeSet<(i32, u64)> = started
            .into_iter()
            .filter(|process| !process.zombie && !is_listed(process.group))
            .map(|process| (process.pid, process.started))
            .collect();
        let before = std::mem::replace(&mut self.left, now.clone());
        for (pid, started) in now.difference(&before) {
            self.send("left", &format!("{pid}:{started}"));
        }
        for (pid, started) in before.difference(&now) {
            self.send("gone", &format!("{pid}:{started}"));
        }
    }

    /// Sends a line. A watchdog that does not run, or no longer, is replaced by one that is sent everything.
    fn send(&mut self, word: &str, value: &str) {
        let sent = self
            .watchdog
            .as_mut()
            .is_some_and(|watchdog| writeln!(watchdog.pipe, "{word} {value}").is_ok());
        if !sent {
            self.begin();
        }
    }

    /// Starts another watchdog where the one there was has ended, and there is something to watch.
    fn replace_dead(&mut self) {
        let Some(watchdog) = &mut self.watchdog else {
            return;
        };
        let lives = matches!(watchdog.process.try_wait(), Ok(None));
        let watches = !(self.runs.is_empty() && self.groups.is_empty() && self.left.is_empty());
        if !lives && watches {
            self.begin();
        }
    }

    /// Starts a watchdog that is sent everything.
    fn begin(&mut self) {
        self.watchdog = begin();
        let Some(watchdog) = &mut self.watchdog else {
            return;
        };
        let runs = self.runs.iter().map(|run| format!("run {run}\n"));
        let groups = self.groups.iter().map(|group| format!("began {group}\n"));
        let left = self.left.iter();
        let left = left.map(|(pid, started)| format!("left {pid}:{started}\n"));
        let all: String = runs.chain(groups).chain(left).collect();
        // One that dies at once is replaced at the next word.
        let _ = watchdog.pipe.write_all(all.as_bytes());
    }
}

/// A watchdog in a group of its own, so that what is sent to ours does not reach it.
fn begin() -> Option<Watchdog> {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", SCRIPT, NAME, &ENGINE])
        .current_dir("/")
        .env_remove(RUN_MARK)
        .env_remove(STEP_MARK)
        .env_remove(ENGINE_MARK)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    match command.spawn() {
        Ok(mut process) => {
            let pipe = process.stdin.take()?;
            Some(Watchdog { process, pipe })
        }
        Err(error) => {
            tracing::warn!(%error, "no watchdog: commands outlive an engine that is killed");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watchdog_that_was_killed_is_replaced_while_there_is_something_to_watch() {
        let mut handle = WatchdogHandle::default();
        handle.runs.insert("R".to_owned());
        handle.send("run", "R");
        let kill = |handle: &mut WatchdogHandle| {
            let process = &mut handle.watchdog.as_mut().unwrap().process;
            process.kill().unwrap();
            process.wait().unwrap();
            process.id()
        };
        let first = kill(&mut handle);
        handle.replace_dead();
        let second = kill(&mut handle);
        assert_ne!(first, second);
        handle.runs.clear();
        handle.replace_dead();
        assert_eq!(handle.watchdog.unwrap().process.id(), second);
    }
}
