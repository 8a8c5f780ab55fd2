//! What is stopped before its end: branches that are not needed any more, and all that belongs to them.

use super::state::{Branch, BranchProgress};
use super::{Command, LaneId, Phase, Ticket, Turn};

impl Turn<'_> {
    /// Stops every branch of a fork; what they wrote is lost.
    pub(super) fn drop_branches(&mut self, id: LaneId) {
        let Some((_, mut fork)) = self.take_fork(id) else {
            return;
        };
        for lane in self.let_go(&fork.branches) {
            self.drop_lane(lane);
        }
        for branch in &mut fork.branches {
            branch.progress = BranchProgress::Dropped;
        }
        self.keep_fork(id, fork);
    }

    /// Closes the contexts of branches: a dropped one leaves nothing behind. Gives the lanes that walk them.
    pub(super) fn let_go(&mut self, branches: &[Branch]) -> Vec<LaneId> {
        let mut walking = Vec::new();
        for branch in branches {
            let scope = match branch.progress {
                BranchProgress::Running { lane } => {
                    walking.push(lane);
                    self.lane(lane).map(|lane| lane.scope)
                }
                BranchProgress::Done { scope, .. } => Some(scope),
                BranchProgress::Queued | BranchProgress::Dropped => None,
            };
            if let Some(scope) = scope {
                drop(self.state.contexts.close(scope));
            }
        }
        walking
    }

    /// Stops a lane and everything that belongs to it.
    pub(super) fn drop_lane(&mut self, id: LaneId) {
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            let Some(lane) = self.state.lanes.remove(&id) else {
                continue;
            };
            if let Some(step) = lane.step() {
                self.out.push(Command::Stop(Ticket { lane: id, step }));
            }
            match &lane.phase {
                Phase::Forked { fork } => doomed.extend(self.let_go(&fork.branches)),
                Phase::Calling { child, .. } => doomed.push(*child),
                Phase::Executing { .. }
                | Phase::Backoff { .. }
                | Phase::Waiting { .. }
                | Phase::Asking { .. } => {}
            }
        }
    }
}
