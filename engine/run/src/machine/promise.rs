//! What a node promised about its result, where the machine does its work itself: parallel nodes, sub-pipelines
//! and gates may have `verify` and `must_write` like any other node. Looking at files is the driver's.

use super::{Command, LaneId, Phase, Ticket, Turn};
use crate::outcome::Outcome;

impl Turn<'_> {
    /// The work of a lane's node came to `outcome`; where it succeeded and something was promised, that is
    /// looked at first.
    pub(super) fn came_to(&mut self, id: LaneId, outcome: Outcome) {
        let promises = self
            .lane(id)
            .and_then(|lane| self.site(lane))
            .is_some_and(|site| {
                let promised = ["verify", "must_write"].map(|name| site.written(name));
                promised.iter().any(Option::is_some)
            });
        if !promises || self.state.dry || outcome.status.is_failure() {
            self.finish(id, outcome);
            return;
        }
        let step = self.new_step();
        if let Some(lane) = self.lane_mut(id) {
            match &mut lane.phase {
                // Where its branches meet is still to be known.
                Phase::Forked { fork } => fork.deadline = Some(step),
                phase => *phase = Phase::Executing { step },
            }
            lane.unchecked = Some(Box::new(outcome));
        }
        self.check(id);
    }

    /// Has the promises of a lane's node looked at, if its work is done; says whether it is.
    pub(super) fn check(&mut self, id: LaneId) -> bool {
        let waiting = self
            .lane(id)
            .and_then(|lane| Some((lane.step()?, lane.unchecked.clone()?)));
        let Some((step, outcome)) = waiting else {
            return false;
        };
        self.out.push(Command::Check {
            ticket: Ticket { lane: id, step },
            outcome,
        });
        true
    }
}
