//! The trait of what runs commands.

use std::fmt::Debug;
use std::io;
use std::path::Path;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::job::{Job, JobResult, Output, SetAside, SettledWork};
use super::service::{Service, ServicePipes};

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
