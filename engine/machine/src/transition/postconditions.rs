//! The postconditions of nodes that the machine executes itself: parallel nodes, sub-pipelines and gates may have
//! `verify` and `must_write` like any other node. The driver reads the files.

use super::{Effect, Phase, Transition};
use crate::frame::{FrameId, Ticket};
use crate::outcome::Outcome;

impl Transition<'_> {
    /// The work of a frame's node ended with `outcome`; if it succeeded and the node has postconditions, these are
    /// verified first.
    pub(super) fn verify_postconditions(&mut self, id: FrameId, outcome: Outcome) {
        let promises = self
            .frame(id)
            .and_then(|frame| self.node_ref(frame))
            .is_some_and(|node_ref| {
                let promised = ["verify", "must_write"].map(|name| node_ref.written(name));
                promised.iter().any(Option::is_some)
            });
        if !promises || self.state.dry || outcome.status.is_failure() {
            self.finish(id, outcome);
            return;
        }
        let step = self.new_step();
        if let Some(frame) = self.frame_mut(id) {
            match &mut frame.phase {
                // Where its branches meet is still to be known.
                Phase::Split { split } => split.deadline = Some(step),
                phase => *phase = Phase::Executing { step },
            }
            frame.unchecked = Some(Box::new(outcome));
        }
        self.check(id);
    }

    /// Has the promises of a frame's node looked at, if its work is done; says whether it is.
    pub(super) fn check(&mut self, id: FrameId) -> bool {
        let waiting = self
            .frame(id)
            .and_then(|frame| Some((frame.step()?, frame.unchecked.clone()?)));
        let Some((step, outcome)) = waiting else {
            return false;
        };
        self.out.push(Effect::Check {
            ticket: Ticket { frame: id, step },
            outcome,
        });
        true
    }
}
