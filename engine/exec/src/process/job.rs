//! A command to run, how it ends, and the trait of what runs commands.

use attractor_redact::Redactor;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::capture::CapturedOutput;
use super::git_permission::GitPermission;
use super::service::{Service, ServicePipes};
use crate::isolation::Confinement;

/// A command to run.
#[derive(Debug, Clone, Default)]
pub struct Job {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Variables to add; they win over the filter.
    pub environment: Vec<(String, String)>,
    /// What it reads; nothing if absent.
    pub stdin: Option<String>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// Marks everything it starts: the run, and the attempt within it.
    pub run: String,
    /// See `run`.
    pub step: String,
    /// Where to write what it writes.
    pub stdout_log: Option<PathBuf>,
    /// See `stdout_log`.
    pub stderr_log: Option<PathBuf>,
    /// Masks secrets in its output.
    pub redactor: Arc<Redactor>,
    /// The file that names its process group while it runs, so that a later process can end it.
    pub footprint: Option<PathBuf>,
    /// Decides about what it wants to write by Git, which a sandbox keeps it from; nobody if absent.
    pub git: Option<Arc<dyn GitPermission>>,
    /// What it is confined to, and all that it starts; nothing if absent.
    pub confinement: Option<Confinement>,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code; 128 + n for signal n, as shells report it.
    Code(i32),
    /// It took longer than its `timeout`.
    TimedOut,
    /// The caller stopped it.
    Stopped,
}

/// How a command ended, and its output.
#[derive(Debug, Clone)]
pub struct JobResult {
    /// How it ended.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: CapturedOutput,
    /// Its standard error.
    pub stderr: CapturedOutput,
}

/// One of the two streams of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Receives output while a command runs.
pub trait Output: Send + Sync {
    /// A piece of a stream, in order, without secrets.
    fn piece(&self, stream: OutputStream, bytes: &[u8]);
}

/// Runs commands. [`super::LocalEnvironment`] does it on this machine; a test may record them instead.
pub trait ExecutionEnvironment: Debug + Send + Sync {
    /// Runs a command to its end, or until `stop` is cancelled.
    ///
    /// # Errors
    /// It could not be started: the program or the folder does not exist, or there is a NUL in an argument.
    fn run<'a>(
        &'a self,
        job: Job,
        output: &'a dyn Output,
        stop: &'a CancellationToken,
    ) -> BoxFuture<'a, io::Result<JobResult>>;

    /// A job as this environment runs it, for a [`Service`](super::Service): in its sandbox, if it has one.
    ///
    /// # Errors
    /// The sandbox cannot run it: a path in it is not UTF-8.
    fn confine(&self, job: Job) -> io::Result<Job> {
        Ok(job)
    }

    /// Starts a command of an agent that runs on while the agent works, with what it reads and writes. Its changes of
    /// write-protected files are undone like those of a command that leaves something running.
    ///
    /// # Errors
    /// It could not be started: the program or the folder does not exist, or the sandbox cannot run it.
    fn start(&self, job: Job) -> io::Result<(Service, ServicePipes)> {
        Service::start(self.confine(job)?)
    }

    /// Whether what was started by `start` may run on when the work of the agent has ended, since nothing that it does has to
    /// be undone.
    fn keeps_started(&self) -> bool {
        true
    }

    /// Ends what commands of this step of a run left running, and then undoes what they changed of write-protected
    /// files. Called when the work of an agent ends; gives what it found.
    fn settle<'a>(&'a self, _run: &'a str, _step: &'a str) -> BoxFuture<'a, SettledWork> {
        async { SettledWork::default() }.boxed()
    }

    /// Moves what commands created and other programs would run on their own, such as hooks, to where a person can look
    /// at it. Called when the work of an agent ends, after what it left running was ended. Gives what was moved.
    fn set_aside(&self) -> Vec<SetAside> {
        Vec::new()
    }

    /// A tool wrote a file of the workspace (no content: removed it), as the rules or a person allowed: it stays where
    /// commands could not have written it.
    fn approve_write(&self, _below: &Path, _after: Option<&[u8]>) {}
}

/// What was found when the work of an agent ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SettledWork {
    /// The write-protected files that were changed.
    pub changes: Vec<ProtectedChange>,
    /// Whether something that a command left running could not be ended.
    pub has_survivor: bool,
}

/// A write-protected file that was changed after the command had ended that the change belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtectedChange {
    /// The file, in the workspace if it is there.
    pub path: PathBuf,
    /// Whether it has its content again.
    pub is_restored: bool,
}

/// A file that was moved out of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// The path it had, in the workspace.
    pub path: PathBuf,
    /// The folder that it is in now, under that path; none where it could not be moved.
    pub folder: Option<PathBuf>,
}
