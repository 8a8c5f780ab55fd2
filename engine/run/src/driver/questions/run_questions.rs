//! Questions of running nodes: they go to the owner of the run.

use std::collections::HashMap;

use attractor_machine::frame::Ticket;
use attractor_machine::question::Question;
use attractor_machine::question::{AskError, Reply};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use crate::driver::message::Message;
use crate::handlers::Questions;

pub(crate) type Answer = Result<Reply, AskError>;

/// Those who wait for an answer, by the id of the question.
pub(crate) type PendingQuestions = HashMap<String, PendingQuestion>;

/// One that waits for an answer.
pub(crate) struct PendingQuestion {
    pub(crate) ticket: Ticket,
    pub(crate) waiting: oneshot::Sender<Answer>,
}

/// What one attempt asks with.
pub(crate) struct RunQuestions {
    pub(crate) ticket: Ticket,
    pub(crate) owner: mpsc::UnboundedSender<Message>,
    /// Whether a person may answer.
    pub(crate) can_ask: bool,
}

impl Questions for RunQuestions {
    fn ask(&self, question: Question) -> BoxFuture<'static, Answer> {
        let (reply, answer) = oneshot::channel();
        let ask = Message::Ask {
            ticket: self.ticket,
            question: Box::new(question),
            reply,
        };
        // An owner that is gone has ended the run, and the answer with it.
        let _ = self.owner.send(ask);
        answer
            .map(|answer| answer.unwrap_or(Err(AskError::Stopped)))
            .boxed()
    }

    fn can_ask(&self) -> bool {
        self.can_ask
    }
}
