//! The side of the run that a backend sees.

use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::{ExecutionEnvironment, Redactor};
use attractor_machine::control::SteeringMessage;
use attractor_machine::event::Stream;
use attractor_machine::outcome::Usage;
use attractor_machine::question::Question;
use attractor_machine::question::{AskError, Reply};
use futures::future::BoxFuture;

use crate::backend::Progress;
use crate::backend::agent_activity::AgentActivity;
use crate::handlers::HandlerEnv;

/// The side of the run that a backend sees.
pub(super) struct StageProgress {
    env: HandlerEnv,
    redactor: Arc<Redactor>,
    used: Mutex<Usage>,
    /// The stream of the line that has not ended.
    open: Mutex<Option<Stream>>,
}

impl StageProgress {
    pub(super) fn new(env: HandlerEnv, redactor: Arc<Redactor>) -> Self {
        Self {
            env,
            redactor,
            used: Mutex::default(),
            open: Mutex::default(),
        }
    }

    /// Writes a piece of text. A line of another stream ends first, so that texts stay in their order.
    fn write(&self, stream: Stream, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = open.filter(|open| *open != stream) {
            self.env.output.write(other, b"\n");
        }
        *open = (!text.ends_with('\n')).then_some(stream);
        self.env.output.write(stream, text.as_bytes());
    }

    /// What the call has used so far.
    pub(super) fn usage(&self) -> Usage {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for StageProgress {
    fn used(&self, usage: &Usage) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.add(usage);
    }

    fn text(&self, text: &str) {
        self.write(Stream::Model, text);
    }

    fn thinking(&self, text: &str) {
        self.write(Stream::Thinking, text);
    }

    fn activity(&self, activity: AgentActivity) {
        // What was written before it goes out, also without the end of its line.
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.env.output.activity(activity);
    }

    fn messages(&self) -> Vec<SteeringMessage> {
        self.env.messages()
    }

    fn message(&self) -> BoxFuture<'_, SteeringMessage> {
        Box::pin(self.env.message())
    }

    fn give_back(&self, messages: Vec<SteeringMessage>) {
        self.env.give_back(messages);
    }

    fn execution(&self) -> Arc<dyn ExecutionEnvironment> {
        self.env.execution.clone()
    }

    fn redactor(&self) -> Arc<Redactor> {
        self.redactor.clone()
    }

    fn can_ask(&self) -> bool {
        self.env.can_ask()
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Result<Reply, AskError>> {
        Box::pin(self.env.ask(question))
    }
}
