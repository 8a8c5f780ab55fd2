//! The side of the run that a backend sees.

use std::sync::{Arc, Mutex, PoisonError};

use attractor_exec::{ExecutionEnvironment, Redactor};
use futures::future::BoxFuture;

use crate::agent_activity::AgentActivity;
use crate::backend::Progress;
use crate::event::Stream;
use crate::handlers::HandlerEnv;
use crate::inquiry::{AskError, Reply};
use crate::outcome::Usage;
use crate::question::Question;
use crate::steering_message::SteeringMessage;

/// The side of the run that a backend sees.
pub(super) struct StageProgress {
    env: HandlerEnv,
    redactor: Arc<Redactor>,
    used: Mutex<Usage>,
}

impl StageProgress {
    pub(super) fn new(env: HandlerEnv, redactor: Arc<Redactor>) -> Self {
        Self {
            env,
            redactor,
            used: Mutex::default(),
        }
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
        self.env.output.write(Stream::Model, text.as_bytes());
    }

    fn activity(&self, activity: AgentActivity) {
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

    fn ask(&self, question: Question) -> BoxFuture<'_, Result<Reply, AskError>> {
        Box::pin(self.env.ask(question))
    }
}
