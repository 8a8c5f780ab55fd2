//! Starting a process and ending it with everything that it started.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use super::job::Job;
use super::orphans::{GRACE, Registration};
use super::{orphans, sessions, watchdog};
use crate::isolation::{Confinement, spawn_confined, spawn_in_namespace};
use crate::secret_environment;

/// How often it is looked whether what got TERM has ended.
const LOOK_ENDING: Duration = Duration::from_millis(20);

/// Starts a command in a session of its own, so that it has no terminal to push characters into, and registers it. Of the
/// environment it inherits the variables of these names, by default all.
pub(super) fn spawn(job: &Job, inherited: Option<&[String]>) -> io::Result<(Child, Registration)> {
    let (program, arguments) = job
        .argv
        .split_first()
        .ok_or_else(|| io::Error::other("the command is empty"))?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(&job.directory)
        .stdin(match job.stdin {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(names) = inherited {
        command.env_clear();
        let values = names.iter().map(|name| (name, std::env::var_os(name)));
        command.envs(values.filter_map(|(name, value)| Some((name, value?))));
    }
    for name in secret_environment::hidden_names() {
        command.env_remove(name);
    }
    command
        .envs(job.environment.iter().map(|(name, value)| (name, value)))
        .env(orphans::RUN_MARK, &job.run)
        .env(orphans::STEP_MARK, &job.step)
        .env(watchdog::ENGINE_MARK, watchdog::ENGINE.as_str());
    lead_session(&mut command)?;
    orphans::starting(|| {
        let child = match &job.confinement {
            Some(Confinement::Landlock(rules)) => spawn_confined(&mut command, rules),
            Some(Confinement::Namespace) => spawn_in_namespace(&mut command),
            None => command.spawn(),
        }?;
        let registration = orphans::register(child.id());
        sessions::began(child.id(), &job.run, &job.step);
        Ok((child, registration))
    })
}

/// Makes a command the leader of a session, and so of a process group.
fn lead_session(command: &mut Command) -> io::Result<()> {
    use process_wrap::tokio::{CommandWrap, CommandWrapper, ProcessSession};
    // The wrapper needs no other one.
    let others = CommandWrap::with_new("", |_| {});
    ProcessSession.pre_spawn(command, &others)
}

/// TERM for the group and what left it, KILL after the grace, and the child is waited for.
pub(super) async fn end_group(child: &mut Child, group: Option<u32>, job: &Job) {
    let mark = (orphans::STEP_MARK, job.step.as_str());
    let waited = Instant::now();
    if job.confinement == Some(Confinement::Namespace) {
        // Its first process ends everything else when it ends: it gets no TERM, and is stopped meanwhile.
        orphans::signal_below(group, orphans::Signal::Term);
        while waited.elapsed() < GRACE && orphans::any_below(group) {
            sleep(LOOK_ENDING).await;
        }
    } else {
        orphans::signal_group(group, orphans::Signal::Term);
        orphans::signal_marked(mark, orphans::Signal::Term);
        let ended = timeout(GRACE, child.wait()).await.is_ok();
        // The leader may be gone while others of its group still clean up: let them have their time.
        while ended && waited.elapsed() < GRACE && orphans::any_left(group, mark) {
            sleep(LOOK_ENDING).await;
        }
    }
    orphans::signal_group(group, orphans::Signal::Kill);
    orphans::signal_marked(mark, orphans::Signal::Kill);
    // After KILL this returns at once.
    let _ = child.wait().await;
    orphans::reap();
}

/// The exit code, 128 + n for signal n.
pub(super) fn code(status: ExitStatus) -> i32 {
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}
