//! A session: one conversation with a model that works in one folder.
//!
//! One task owns it. The [`Session`] is its handle: operations go in, [`AgentEvent`](crate::AgentEvent)s come out.

mod batch;
mod compaction;
mod completion;
mod config;
mod controls;
mod conversation;
mod dispatch;
mod hooks;
#[cfg(test)]
mod hooks_tests;
mod input;
mod model_call;
mod output;
mod paused;
mod schemas;
#[cfg(test)]
mod shared_tests;
mod shorter_conversation;
mod signatures;
mod task;
#[cfg(test)]
mod tests;
mod verification;
mod work;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use async_trait::async_trait;
use attractor_llm::{Message, ReasoningEffort};
use tokio::sync::{mpsc, oneshot};

pub use completion::{Completion, Ending};
pub use config::{SessionConfig, SessionSetup};
pub use input::SessionInput;
pub use verification::Verification;

use self::controls::Controls;
use self::paused::PausingPerson;
use self::task::{Operation, Owner, Queue, Shared};
use self::worker::Worker;
use crate::background::BackgroundCommands;
use crate::budget::Limits;
use crate::error::AgentError;
use crate::event::{AgentEvents, channel};
use crate::person::Person;
use crate::state::{AgentState, SessionState, TransitionListener};
use crate::subagent::{StartSession, SubSession, Subagents, register};
use crate::undo::{FileChangeTracker, UndoError, UndoScope, UndoneChange};
use crate::workspace::Workspace;

/// The handle of a session. Dropping it ends the session: streams are closed, commands are ended.
#[derive(Debug)]
pub struct Session {
    operations: mpsc::UnboundedSender<Operation>,
    shared: Arc<Shared>,
    workspace: Arc<Workspace>,
    changes: Arc<FileChangeTracker>,
    background: Arc<BackgroundCommands>,
}

impl Session {
    /// Starts a session. It waits for a reader of its events; drop the reader if there is none.
    pub fn start(setup: SessionSetup) -> (Self, AgentEvents) {
        Self::restore(setup, Vec::new())
    }

    /// Starts a session that continues a conversation.
    pub fn restore(setup: SessionSetup, messages: Vec<Message>) -> (Self, AgentEvents) {
        let (emitter, events) = channel(Arc::clone(&setup.clock));
        let mut setup = setup;
        let subagents = (setup.config.max_subagent_depth > 0).then(|| {
            let subagents = Subagents::new(start_subagent(), setup.clone(), emitter.clone());
            let subagents = Arc::new(subagents);
            register(&subagents, &mut setup.tools);
            subagents
        });
        let (sender, receiver) = mpsc::unbounded_channel();
        let shared = Arc::<Shared>::default();
        let controls = Arc::new(Controls::new(setup.config.reasoning_effort));
        let person: Arc<dyn Person> = Arc::new(PausingPerson {
            person: Arc::clone(&setup.person),
            shared: Arc::clone(&shared),
            open: AtomicUsize::new(0),
        });
        shared.history().clone_from(&messages);
        let workspace = Arc::clone(&setup.workspace);
        let worker = Worker {
            subagents,
            ..Worker::new(setup, person, emitter, controls)
        };
        let changes = Arc::clone(&worker.changes);
        let background = Arc::clone(&worker.background);
        let owner = Owner {
            worker,
            operations: receiver,
            shared: Arc::clone(&shared),
            messages,
            queue: Queue::default(),
        };
        tokio::spawn(owner.run());
        let session = Self {
            operations: sender,
            shared,
            workspace,
            changes,
            background,
        };
        (session, events)
    }

    /// Submits an input, and waits until the work on it and on all follow-ups has ended.
    ///
    /// # Errors
    /// The session is closed.
    pub async fn submit(&self, input: impl Into<SessionInput>) -> Result<Completion, AgentError> {
        let (reply, completion) = oneshot::channel();
        self.send(Operation::Submit {
            input: input.into(),
            reply,
        })?;
        completion.await.map_err(|_| closed())
    }

    /// How many commands run in the background. The end of the session ends them.
    pub fn background_commands(&self) -> usize {
        self.background.running()
    }

    /// What the tools changed in files.
    pub fn changes(&self) -> &FileChangeTracker {
        &self.changes
    }

    /// Undoes changes of the tools, the latest first.
    ///
    /// # Errors
    /// There is nothing to undo, or a file has changed since.
    pub fn undo(&self, scope: &UndoScope) -> Result<Vec<UndoneChange>, UndoError> {
        self.changes.undo(scope, &self.workspace)
    }

    /// Adds a message that is worked on after the current input.
    ///
    /// # Errors
    /// The session is closed.
    pub fn follow_up(&self, message: impl Into<String>) -> Result<(), AgentError> {
        self.send(Operation::FollowUp(message.into()))
    }

    /// Adds a message that the model receives after the current tool round.
    ///
    /// # Errors
    /// The session is closed.
    pub fn steer(&self, message: impl Into<String>) -> Result<(), AgentError> {
        self.send(Operation::Steer(message.into()))
    }

    /// Ends what runs now, a call of the model or tools, and continues with this message, or with those that wait when it
    /// is empty.
    ///
    /// # Errors
    /// The session is closed.
    pub fn interrupt(&self, message: impl Into<String>) -> Result<(), AgentError> {
        self.send(Operation::Interrupt(message.into()))
    }

    /// Ends the work on the current input.
    ///
    /// # Errors
    /// The session is closed.
    pub fn cancel(&self) -> Result<(), AgentError> {
        self.send(Operation::Cancel)
    }

    /// Changes the effort of the next call of the model.
    ///
    /// # Errors
    /// The session is closed.
    pub fn set_reasoning_effort(&self, effort: Option<ReasoningEffort>) -> Result<(), AgentError> {
        self.send(Operation::SetReasoningEffort(effort))
    }

    /// Makes the conversation shorter, between two inputs: old outputs of tools and rounds are left out. Gives whether
    /// that was possible.
    ///
    /// # Errors
    /// The session is closed.
    pub async fn compact(&self) -> Result<bool, AgentError> {
        let (reply, done) = oneshot::channel();
        self.send(Operation::Compact(reply))?;
        done.await.map_err(|_| closed())
    }

    /// Replaces the limits of the session's account.
    ///
    /// # Errors
    /// The session is closed.
    pub fn set_limits(&self, limits: Limits) -> Result<(), AgentError> {
        self.send(Operation::SetLimits(limits))
    }

    /// Ends the session: what runs is cancelled, its last event is published.
    pub async fn shutdown(&self) {
        let (reply, ended) = oneshot::channel();
        if self.send(Operation::Shutdown(reply)).is_ok() {
            let _ = ended.await;
        }
    }

    /// The public state.
    pub fn state(&self) -> SessionState {
        self.agent_state().public()
    }

    /// The state.
    pub fn agent_state(&self) -> AgentState {
        self.shared.machine().state()
    }

    /// The transitions so far.
    pub fn state_history(&self) -> Vec<(AgentState, AgentState)> {
        self.shared.machine().history().to_vec()
    }

    /// Adds a listener of transitions.
    pub fn on_transition(&self, listener: TransitionListener) {
        self.shared.machine().on_transition(listener);
    }

    /// The conversation up to the last input that has ended.
    pub fn conversation_history(&self) -> Vec<Message> {
        self.shared.history().clone()
    }

    fn send(&self, operation: Operation) -> Result<(), AgentError> {
        self.operations.send(operation).map_err(|_| closed())
    }
}

fn start_subagent() -> StartSession {
    Box::new(|setup| {
        let (session, events) = Session::start(setup);
        (Arc::new(session), events)
    })
}

#[async_trait]
impl SubSession for Session {
    async fn submit(&self, input: String) -> Result<Completion, AgentError> {
        Self::submit(self, input).await
    }

    fn follow_up(&self, message: String) -> Result<(), AgentError> {
        Self::follow_up(self, message)
    }

    async fn shutdown(&self) {
        Self::shutdown(self).await;
    }
}

fn closed() -> AgentError {
    AgentError::configuration("the session is closed; start another one")
}
