//! Messages to a node that runs: recorded, then handed over.

use super::{Effect, Phase, Ticket, Transition};
use crate::event::EventKind;
use crate::steering_message::SteeringMessage;

impl Transition<'_> {
    pub(super) fn steer(&mut self, ticket: Ticket, message: SteeringMessage) {
        let Some(frame) = self.state.holder(ticket) else {
            return;
        };
        if matches!(frame.phase, Phase::Executing { .. }) {
            self.emit(EventKind::SteeringInjected {
                to: frame.key(&frame.node),
                message: message.text.clone(),
                by: message.by.clone(),
                at: Some(frame.node_attempt()),
            });
            if let Some(frame) = self.frame_mut(ticket.frame) {
                // An attempt that is run again has it from the beginning.
                frame.messages.push(message.clone());
            }
            self.out.push(Effect::Deliver { ticket, message });
        }
    }
}
