//! Questions of the work of nodes: recorded, asked, and answered.

use attractor_machine::frame::Ticket;
use attractor_machine::question::AskError;
use attractor_machine::question::Question;
use attractor_machine::transition::InputKind;
use tokio::sync::oneshot;

use crate::driver::message::Message;
use crate::driver::questions::run_questions::{Answer, PendingQuestion};
use crate::driver::run_task::RunTask;
use crate::error::RunError;

impl RunTask {
    /// Asks for the work of a node. The question is withdrawn when the other end of `reply` is dropped.
    pub(crate) fn ask_for_node(
        &mut self,
        ticket: Ticket,
        mut question: Question,
        mut reply: oneshot::Sender<Answer>,
    ) -> Result<(), RunError> {
        let Some(id) = self.context.state.next_node_question(ticket) else {
            let _ = reply.send(Err(AskError::Stopped));
            return Ok(());
        };
        if let Some(reason) = question.unusable() {
            let _ = reply.send(Err(AskError::unanswerable(reason)));
            return Ok(());
        }
        // What led to the question precedes it.
        self.show_one(ticket)?;
        question.redact(&self.redactor);
        question.id.clone_from(&id);
        let (waiting, answer) = oneshot::channel();
        let reporter = self.reporter.clone();
        let asked = id.clone();
        tokio::spawn(async move {
            tokio::select! {
                answer = answer => {
                    // Who asked may not wait any more.
                    let _ = reply.send(answer.unwrap_or(Err(AskError::Stopped)));
                }
                () = reply.closed() => {
                    let _ = reporter.send(Message::Withdrawn { question: asked });
                }
            }
        });
        self.pending_questions
            .insert(id, PendingQuestion { ticket, waiting });
        self.hold_clock(ticket);
        let question = Box::new(question);
        self.apply(InputKind::Ask { ticket, question })
    }

    /// Hands over an answer that is recorded.
    pub(crate) fn reply(&mut self, question: &str, reply: Answer) {
        if let Some(PendingQuestion { ticket, waiting }) = self.pending_questions.remove(question) {
            self.hold_clock(ticket);
            // Who asked may not wait any more.
            let _ = waiting.send(reply);
        }
    }

    /// A clock that jumps waits for the work of a node, unless that waits for an answer.
    fn hold_clock(&mut self, ticket: Ticket) {
        let waits = self
            .pending_questions
            .values()
            .any(|one| one.ticket == ticket);
        if let Some(running) = self.running.get_mut(&ticket) {
            running.work = (!waits).then(|| self.context.clock.work());
        }
    }

    /// Withdraws a question that nobody waits for.
    pub(crate) fn withdraw(&mut self, question: String) -> Result<(), RunError> {
        if let Some(PendingQuestion { ticket, .. }) = self.pending_questions.remove(&question) {
            self.hold_clock(ticket);
        }
        self.apply(InputKind::Withdrawn { question })
    }
}
