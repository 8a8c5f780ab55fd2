//! A running run.

use std::path::Path;
use std::sync::Arc;

use attractor_run::{
    Answer, Answered, Checkpoint, Event, PauseRequest, Question, RunHandle, RunId, RunReport,
    RunSnapshot,
};
use futures::Stream;

use crate::context::PipelineContext;

/// A run: follow its events, answer its questions, look at its context, stop it, wait for its end. Cheap to clone;
/// dropping every handle does not stop the run.
#[derive(Clone)]
pub struct Run {
    handle: RunHandle,
}

impl Run {
    pub(crate) fn new(handle: RunHandle) -> Self {
        Self { handle }
    }

    /// The executor's handle of it.
    pub fn handle(&self) -> &RunHandle {
        &self.handle
    }

    /// The run's id.
    pub fn id(&self) -> &RunId {
        self.handle.id()
    }

    /// The run's directory. A dry run has none on disk.
    pub fn directory(&self) -> &Path {
        self.handle.directory()
    }

    /// All events after number `after` (0 for all): past ones first, then new ones as they come, in order and without
    /// holes. The stream ends with the run.
    pub fn events(&self, after: u64) -> impl Stream<Item = Arc<Event>> + Send + Unpin + use<> {
        Box::pin(self.handle.subscribe(after))
    }

    /// The events so far after number `after`.
    pub fn past_events(&self, after: u64) -> Vec<Arc<Event>> {
        self.handle.events(after)
    }

    /// The context as it is now, secrets masked.
    pub async fn context(&self) -> PipelineContext {
        self.checkpoint().await.context.into()
    }

    /// Where the run is now, as a checkpoint file would say it.
    pub async fn checkpoint(&self) -> Checkpoint {
        self.handle.checkpoint().await
    }

    /// The state of the run and its nodes, from its events.
    pub fn snapshot(&self) -> RunSnapshot {
        self.handle.snapshot()
    }

    /// The number of the last event.
    pub fn last(&self) -> u64 {
        self.handle.last()
    }

    /// The questions that are open now.
    pub fn questions(&self) -> Vec<Question> {
        self.handle.questions()
    }

    /// Answers a question. The first answer that fits counts, and is durable when this returns.
    pub async fn answer(&self, question: &str, answer: impl Into<Answer>) -> Answered {
        let mut answer = answer.into();
        if answer.by.is_empty() {
            "program".clone_into(&mut answer.by);
        }
        self.handle.answer(question, answer).await
    }

    /// Sends a message to a node that runs. It is accepted, and recorded, if the node reads messages
    /// ([`HandlerEnv::message`](crate::HandlerEnv::message)).
    pub async fn steer(&self, node: &str, message: &str, by: &str) -> Answered {
        self.handle.steer(node, message, by).await
    }

    /// The same as `attractor steer`: a message to a node that does not run, or reads none while it does, is kept for
    /// its next prompt.
    pub async fn steer_or_keep(&self, node: &str, message: &str, by: &str) -> Answered {
        self.handle.steer_or_keep(node, message, by).await
    }

    /// Pauses the run, lets it continue, or changes it while it is paused. What is accepted is durable when this returns.
    pub async fn pausing(&self, request: PauseRequest) -> Answered {
        self.handle.pausing(request).await
    }

    /// Stops the run. Returns at once; [`Run::wait`] sees the end. `by` is for the journal.
    pub fn cancel(&self, by: &str) {
        self.handle.cancel(by);
    }

    /// Stops the run because its process is about to end; it can be resumed.
    pub fn interrupt(&self, by: &str) {
        self.handle.interrupt(by);
    }

    /// Waits for the end.
    pub async fn wait(&self) -> Arc<RunReport> {
        self.handle.wait().await
    }
}
