//! The people that the work of a node asks: its questions go to the owner of the run.

use std::collections::HashMap;

use attractor_machine::inquiry::{AskError, Reply};
use attractor_machine::machine::Ticket;
use attractor_machine::question::Question;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};

use super::message::Message;
use crate::handlers::People;

pub(super) type Answer = Result<Reply, AskError>;

/// Those who wait for an answer, by the id of the question.
pub(super) type Inquiries = HashMap<String, Inquirer>;

/// One that waits for an answer.
pub(super) struct Inquirer {
    pub(super) ticket: Ticket,
    pub(super) waiting: oneshot::Sender<Answer>,
}

/// The people that one attempt asks.
pub(super) struct RunPeople {
    pub(super) ticket: Ticket,
    pub(super) owner: mpsc::UnboundedSender<Message>,
    /// Whether a person may answer.
    pub(super) can_ask: bool,
}

impl People for RunPeople {
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
