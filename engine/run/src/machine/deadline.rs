//! `timeout` of nodes that hold others: parallel nodes, supervisors and sub-pipelines.
//!
//! Only a timeout of their own counts. One that defaults or a stylesheet give to all nodes is meant for each
//! piece of work, and these nodes hold many.

use super::plan::Site;
use super::{Command, Lane, LaneId, Phase, Ticket, Turn};
use crate::outcome::{FailureClass, Outcome};
use crate::wording;

impl Turn<'_> {
    /// Asks to be told when the time of the node a lane begins is over; gives the step to be told by.
    pub(super) fn deadline(&mut self, id: LaneId, lane: &Lane, site: Site<'_>) -> Option<u64> {
        let limit = site.own_timeout()?;
        let step = self.new_step();
        let used = self.state.clock.saturating_sub(lane.since);
        self.out.push(Command::Deadline {
            ticket: Ticket { lane: id, step },
            delay: limit.saturating_sub(used),
        });
        Some(step)
    }

    /// Another process goes on with a node that holds others: what is left of its time.
    pub(super) fn deadline_again(&mut self, id: LaneId, lane: &Lane) {
        if lane.step().is_none() {
            return;
        }
        let Some(site) = self.site(lane) else { return };
        let again = self.deadline(id, lane, site);
        match self.lane_mut(id).map(|lane| &mut lane.phase) {
            Some(Phase::Forked { fork }) => fork.deadline = again,
            Some(Phase::Calling { deadline, .. }) => *deadline = again,
            _ => {}
        }
    }

    /// What the node held is done in time.
    pub(super) fn in_time(&mut self, id: LaneId) {
        if let Some(step) = self.lane(id).and_then(Lane::step) {
            self.out.push(Command::Stop(Ticket { lane: id, step }));
        }
    }

    /// The time of a node that holds others is over: they are stopped, and the node has failed.
    pub(super) fn overdue(&mut self, id: LaneId) {
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Some(limit) = self.site(&lane).and_then(Site::own_timeout) else {
            return;
        };
        match &lane.phase {
            Phase::Forked { .. } => self.drop_branches(id),
            Phase::Calling { child, lent, .. } => {
                self.drop_lane(*child);
                self.take_back(&lane, lent.clone());
            }
            Phase::Executing { .. }
            | Phase::Backoff { .. }
            | Phase::Waiting { .. }
            | Phase::Asking { .. } => return,
        }
        let reason = wording::took_too_long(limit);
        self.finish(id, Outcome::fail(FailureClass::Timeout, reason));
    }
}
