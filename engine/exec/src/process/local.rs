//! Runs commands on this machine.

use std::io;
use std::time::Duration;

use attractor_redact::Scrubber;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::io::AsyncWriteExt;
use tokio::process::Child;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::capture::Capture;
use super::environment::ExecutionEnvironment;
use super::job::{Exit, Job, JobResult, Output, OutputStream};
use super::orphans::{GRACE, OrphanScope};
use super::pipe::Pipe;
use super::service::{Service, ServicePipes};
use super::spawn::{code, end_group, spawn};
use super::{footprint, orphans, watchdog};

/// How long output may still come after the command has ended while something keeps its pipe open.
const DRAIN: Duration = Duration::from_millis(100);

/// When it is first looked whether a running command has started something that left its group; each next time
/// comes after twice as long, up to [`LOOK_EVERY`].
const LOOK_FIRST: Duration = Duration::from_millis(10);

/// See [`LOOK_FIRST`].
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Processes of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalEnvironment;

impl ExecutionEnvironment for LocalEnvironment {
    fn run<'a>(
        &'a self,
        job: Job,
        output: &'a dyn Output,
        stop: &'a CancellationToken,
    ) -> BoxFuture<'a, io::Result<JobResult>> {
        run(job, None, output, stop).boxed()
    }
}

/// Processes of this machine that see only some variables of this process's environment.
#[derive(Debug, Clone, Default)]
pub struct FilteredEnvironment {
    /// The names of these variables. A secret is not passed on, even if it is among them.
    pub variables: Vec<String>,
}

impl ExecutionEnvironment for FilteredEnvironment {
    fn run<'a>(
        &'a self,
        job: Job,
        output: &'a dyn Output,
        stop: &'a CancellationToken,
    ) -> BoxFuture<'a, io::Result<JobResult>> {
        run(job, Some(&self.variables), output, stop).boxed()
    }

    fn start(&self, job: Job) -> io::Result<(Service, ServicePipes)> {
        Service::start_inheriting(job, Some(&self.variables))
    }
}

async fn run(
    job: Job,
    inherited: Option<&[String]>,
    output: &dyn Output,
    stop: &CancellationToken,
) -> io::Result<JobResult> {
    orphans::adopt_orphans();
    // Before there is a command: this process can be killed in the moment that follows.
    let _run = watchdog::guard(&job.run, None);
    let (mut child, _registration) = spawn(&job, inherited)?;
    let group = child.id();
    let _guard = watchdog::guard(&job.run, group);
    let _footprint = footprint::leave(job.footprint.clone(), group);
    feed(&mut child, job.stdin.clone());
    let scrubber = || Scrubber::new(job.redactor.clone());
    let mut out = Pipe::new(
        OutputStream::Stdout,
        child.stdout.take(),
        scrubber(),
        Capture::new(job.stdout_log.as_deref()),
    );
    let mut err = Pipe::new(
        OutputStream::Stderr,
        child.stderr.take(),
        scrubber(),
        Capture::new(job.stderr_log.as_deref()),
    );
    let deadline = job.timeout.map(|limit| Instant::now() + limit);
    let mut exit = None;
    let mut last_call: Option<Instant> = None;
    let mut look = LOOK_FIRST;
    let mut look_at = Instant::now() + look;
    while out.is_open() || err.is_open() || exit.is_none() {
        tokio::select! {
            read = out.next(), if out.is_open() => out.take(read, output),
            read = err.next(), if err.is_open() => err.take(read, output),
            status = child.wait(), if exit.is_none() => {
                exit = Some(Exit::Code(code(status?)));
                last_call = Some(Instant::now() + DRAIN);
            }
            () = tokio::time::sleep_until(look_at), if exit.is_none() => {
                watchdog::look();
                look = (look * 2).min(LOOK_EVERY);
                look_at = Instant::now() + look;
            }
            () = until(deadline), if exit.is_none() => {
                end_group(&mut child, group, &job).await;
                exit = Some(Exit::TimedOut);
                last_call = Some(Instant::now() + DRAIN);
            }
            () = stop.cancelled(), if exit.is_none() => {
                end_group(&mut child, group, &job).await;
                exit = Some(Exit::Stopped);
                last_call = Some(Instant::now() + DRAIN);
            }
            () = until(last_call), if last_call.is_some() => break,
        }
    }
    Ok(JobResult {
        exit: exit.unwrap_or(Exit::Stopped),
        stdout: out.close(output),
        stderr: err.close(output),
    })
}

/// Ends everything a run has left, and what lies `beyond`: TERM, and KILL after two seconds. Blocks. Gives
/// the processes that could not be ended.
pub fn end_run(run: &str, beyond: &OrphanScope<'_>) -> Vec<i32> {
    let left = orphans::end_run(run, GRACE, beyond);
    watchdog::over(run);
    left
}

/// Writes the input from a task of its own: a command need not read it.
fn feed(child: &mut Child, input: Option<String>) {
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        tokio::spawn(async move {
            // A command that ends without reading closes its pipe; that is its right.
            let _ = stdin.write_all(input.as_bytes()).await;
        });
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
