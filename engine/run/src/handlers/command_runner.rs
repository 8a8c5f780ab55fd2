//! Runs the commands of one attempt, as those of tool nodes are run.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use attractor_exec::{
    self as exec, ExecutionEnvironment, Job, JobResult, OutputStream, Redactor, footprint_name,
};
use tokio_util::sync::CancellationToken;

use super::command_spec::{CommandOutput, CommandSpec};
use super::output::{Output, stream_of};

/// Runs the commands of one attempt.
pub(crate) struct CommandRunner {
    pub(super) execution: Arc<dyn ExecutionEnvironment>,
    pub(super) run: String,
    pub(super) node: String,
    /// Marks the processes of the attempt.
    pub(super) step: String,
    pub(super) directory: PathBuf,
    pub(super) stage_dir: PathBuf,
    pub(super) redactor: Arc<Redactor>,
    /// How many commands were started.
    pub(super) started: AtomicU32,
}

/// Where the output of a command goes.
struct Destination(Option<Arc<dyn Output>>);

impl exec::Output for Destination {
    fn piece(&self, stream: OutputStream, bytes: &[u8]) {
        if let Some(output) = &self.0 {
            output.write(stream_of(stream), bytes);
        }
    }
}

impl CommandRunner {
    /// Runs a command to its end. When the future is dropped, or `stop` is cancelled, its process group is ended.
    pub(super) async fn run(
        &self,
        command: CommandSpec,
        output: Arc<dyn Output>,
        stop: &CancellationToken,
    ) -> io::Result<CommandOutput> {
        if let Some(reason) = command.invalid() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let destination = Destination(command.is_shown.then_some(output));
        let job = self.job(command);
        let execution = self.execution.clone();
        let stop = stop.child_token();
        let stopped = stop.clone();
        // In a task of its own: a future that is dropped could not end the group.
        let task = tokio::spawn(async move { execution.run(job, &destination, &stopped).await });
        let _ends_the_group = stop.drop_guard();
        let result: JobResult = task.await.map_err(io::Error::other)??;
        Ok(result.into())
    }

    fn job(&self, command: CommandSpec) -> Job {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let mut environment = vec![
            ("ATTRACTOR_NODE".to_owned(), self.node.clone()),
            (
                "ATTRACTOR_STAGE_DIR".to_owned(),
                self.stage_dir.to_string_lossy().into_owned(),
            ),
        ];
        environment.extend(command.environment);
        Job {
            argv: command.argv,
            directory: match command.directory {
                Some(folder) => self.directory.join(folder),
                None => self.directory.clone(),
            },
            environment,
            stdin: command.stdin,
            timeout: command.timeout,
            run: self.run.clone(),
            // One that takes too long is ended without the others.
            step: format!("{}/{number}", self.step),
            stdout_log: None,
            stderr_log: None,
            redactor: self.redactor.clone(),
            footprint: Some(self.stage_dir.join(footprint_name(number))),
            git: None,
            confinement: None,
        }
    }
}
