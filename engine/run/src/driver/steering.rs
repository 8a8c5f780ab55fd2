//! Messages to nodes that run.

use attractor_machine::control::SteeringMessage;
use attractor_machine::frame::Ticket;
use attractor_machine::question::Answered;
use attractor_machine::transition::InputKind;

use super::run_task::{RunTask, Running};
use crate::error::RunError;

impl RunTask {
    /// Records a message to a node and hands it over.
    pub(super) fn steer(
        &mut self,
        node: &str,
        message: &str,
        by: String,
    ) -> Result<Answered, RunError> {
        let mut running = self.running.iter();
        let is_meant = |(_, running): &(&Ticket, &Running)| running.at.node == node;
        let Some((ticket, Running { inbox, .. })) = running.find(is_meant) else {
            return Ok(Answered::refused(format!("`{node}` is not running")));
        };
        if inbox.as_ref().is_none_or(|inbox| !inbox.is_read()) {
            let reason = format!("`{node}` does not read messages");
            return Ok(Answered::refused(reason));
        }
        let message = self.redactor.text(message).into_owned();
        let ticket = *ticket;
        self.apply(InputKind::Steer {
            ticket,
            message,
            by,
        })?;
        Ok(Answered::accepted())
    }

    /// Hands over a message that is recorded.
    pub(super) fn deliver(&self, ticket: Ticket, message: SteeringMessage) {
        let running = self.running.get(&ticket);
        if let Some(inbox) = running.and_then(|running| running.inbox.as_ref()) {
            inbox.send(message);
        }
    }
}
