//! What the work of a node may use while it runs.

use std::io;
use std::sync::Arc;

use attractor_exec::ExecutionEnvironment;
use attractor_machine::control::SteeringMessage;
use attractor_machine::event::Stream;
use attractor_machine::question::Question;
use attractor_machine::question::{AskError, Reply};
use tokio_util::sync::CancellationToken;

use super::command_runner::CommandRunner;
use super::command_spec::{CommandOutput, CommandSpec};
use super::inbox::Inbox;
use super::output::{Output, Questions};
use super::work_time::WorkTime;

/// What the work of a node may use while it runs. Cheap to clone.
#[derive(Clone)]
pub struct HandlerEnv {
    /// Cancelled when the work is to end.
    pub(crate) stop: CancellationToken,
    /// Where its output goes.
    pub(crate) output: Arc<dyn Output>,
    /// What people and supervisors say to it.
    pub(crate) inbox: Inbox,
    /// The time it has.
    pub(crate) time: WorkTime,
    /// Who answers its questions.
    pub(crate) questions: Arc<dyn Questions>,
    /// Runs commands.
    pub(crate) execution: Arc<dyn ExecutionEnvironment>,
    /// Runs those of a handler.
    pub(crate) commands: Arc<CommandRunner>,
}

impl HandlerEnv {
    /// Resolves when the work is to end: the run was cancelled, or another branch has decided.
    pub async fn cancelled(&self) {
        self.stop.cancelled().await;
    }

    /// Whether the work is to end.
    pub fn is_cancelled(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// The next message to the node (`Run::steer`), when there is one. Messages to a node that never asks for them are
    /// refused.
    pub async fn message(&self) -> SteeringMessage {
        self.inbox.next().await
    }

    /// The messages to the node that have arrived and were not taken yet.
    pub fn messages(&self) -> Vec<SteeringMessage> {
        self.inbox.take()
    }

    /// Returns messages that were taken and came too late for the work to use them. Like those that it never took, they
    /// wait for the next prompt of the run.
    pub fn give_back(&self, messages: Vec<SteeringMessage>) {
        self.inbox.give_back(messages);
    }

    /// Asks a person. The question is one of the run: it is in the journal before anyone sees it, it is shown wherever
    /// questions of human gates are, and the first answer counts. When the engine is killed and the attempt is run
    /// again, a question that was answered gets the same answer. A question whose future is dropped, or whose node
    /// ends, is withdrawn. The time of the node (`timeout`) does not pass meanwhile.
    ///
    /// # Errors
    /// There is nobody to ask, nobody answered in time, or the node was stopped.
    pub async fn ask(&self, question: Question) -> Result<Reply, AskError> {
        let _paused = self.time.pause();
        tokio::select! {
            reply = self.questions.ask(question) => reply,
            () = self.stop.cancelled() => Err(AskError::Stopped),
        }
    }

    /// Whether a person may answer a question, as far as that is known before it is asked.
    pub fn can_ask(&self) -> bool {
        self.questions.can_ask()
    }

    /// Runs a command as those of tool nodes are run: in the execution environment of the run, in a process group of its
    /// own, without the secrets of the engine, and with masked output, which is output of the node. The group is ended
    /// (TERM, and KILL after two seconds) when the command takes too long, when the node is stopped, and when this
    /// future is dropped; if the engine is killed, its successor ends it.
    ///
    /// # Errors
    /// It could not be started.
    pub async fn exec(&self, command: CommandSpec) -> io::Result<CommandOutput> {
        let output = self.output.clone();
        self.commands.run(command, output, &self.stop).await
    }

    /// Writes to the output of the node, which people see while it runs (event `stage_output`). Secrets of the run
    /// are masked; of a long output the beginning is shown.
    pub fn write(&self, text: &str) {
        self.output.write(Stream::Stdout, text.as_bytes());
    }

    /// Writes a remark about the work, apart from its output.
    pub fn note(&self, text: &str) {
        self.output
            .write(Stream::Note, format!("{text}\n").as_bytes());
    }
}
