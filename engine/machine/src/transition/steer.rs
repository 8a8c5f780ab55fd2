//! Messages to a node that runs: recorded, then handed over.

use super::steering::{Steering, SteeringTarget};
use super::{Effect, Frame, Phase, Transition};
use crate::control::SteeringMessage;
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket};

impl Transition<'_> {
    pub(super) fn steer(&mut self, ticket: Ticket, message: SteeringMessage) {
        let Some(frame) = self.state.holder(ticket) else {
            return;
        };
        if matches!(frame.phase, Phase::Executing { .. }) {
            let frame = frame.clone();
            self.injected(&frame, message.clone());
            if let Some(frame) = self.frame_mut(ticket.frame) {
                // An attempt that is run again has it from the beginning.
                frame.messages.push(message.clone());
            }
            self.out.push(Effect::Deliver { ticket, message });
        }
    }

    /// A message reaches the attempt of the node a frame is at.
    pub(super) fn injected(&mut self, frame: &Frame, message: SteeringMessage) {
        self.emit(EventKind::SteeringInjected {
            to: frame.key(&frame.node),
            message: message.text,
            by: message.by,
            at: Some(frame.node_attempt()),
        });
    }

    /// The work of a node has ended without having read messages. An attempt that follows has them in its prompt, like
    /// all messages of the visit.
    pub(super) fn left_unread(&mut self, id: FrameId, unread: Vec<SteeringMessage>) {
        if let Some(frame) = self.frame_mut(id) {
            frame.unread.extend(unread);
        }
    }

    /// A visit is over: what its work has not read waits for the next prompt.
    pub(super) fn defer_unread(&mut self, id: FrameId) {
        let Some(frame) = self.frame_mut(id) else {
            return;
        };
        let unread = std::mem::take(&mut frame.unread);
        let at = frame.node_attempt();
        let waiting = std::iter::successors(Some(id), |id| self.frame(*id)?.parent);
        let waiting: Vec<FrameId> = waiting.collect();
        for message in unread {
            self.emit(EventKind::SteeringDeferred {
                at: at.clone(),
                message: message.text.clone(),
                by: message.by.clone(),
            });
            let to = SteeringTarget::Next(waiting.clone());
            self.state.steering.push(Steering { to, message });
        }
    }
}
