//! Messages to a node that runs: recorded, then handed over.

use super::{Effect, Phase, Ticket, Transition};
use crate::event::EventKind;

impl Transition<'_> {
    pub(super) fn steer(&mut self, ticket: Ticket, message: String, by: String) {
        let Some(frame) = self.state.holder(ticket) else {
            return;
        };
        if matches!(frame.phase, Phase::Executing { .. }) {
            let at = frame.node_attempt();
            self.emit(EventKind::StageSteered {
                at,
                message: message.clone(),
                by,
            });
            self.out.push(Effect::Deliver { ticket, message });
        }
    }
}
