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

#[cfg(test)]
mod tests {
    use attractor_model::Pipeline;

    use super::*;
    use crate::machine::{Begin, Input, InputKind, Plan, State, next};

    /// All commands of a run in which every node succeeds at once.
    fn commands(statements: &str) -> Vec<Command> {
        let dot = format!(
            "digraph main {{ s [shape=Mdiamond]; e [shape=Msquare]; {statements} }} \
             digraph child {{ goal=x; c [shape=Mdiamond]; c -> d; d [shape=Msquare] }}"
        );
        let pipelines = Pipeline::from_text(&dot);
        let plan = Plan::new(pipelines[0].clone(), pipelines);
        let begin = Begin {
            run: "R".to_owned(),
            ..Begin::default()
        };
        let mut open = vec![InputKind::Start(Box::new(begin))];
        let mut state = State::default();
        let mut all = Vec::new();
        while let Some(kind) = open.pop() {
            let input = Input {
                at: 1,
                now: 1,
                kind,
            };
            let (after, commands) = next(&plan, state, input);
            state = after;
            open.extend(commands.iter().filter_map(|command| match command {
                Command::Execute(ticket) => Some(InputKind::Finished {
                    ticket: *ticket,
                    outcome: Box::new(Outcome::success()),
                    jitter: 1000,
                }),
                _ => None,
            }));
            all.extend(commands);
        }
        assert!(state.is_over());
        all
    }

    #[test]
    fn the_deadline_of_a_node_that_is_done_is_stopped() {
        for statements in [
            "f [shape=component, timeout=10m]; a [prompt=x]; b [prompt=x]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e",
            "f [shape=folder, sub_pipeline=child, timeout=10m]; s -> f -> e",
        ] {
            let commands = commands(statements);
            let deadlines = commands.iter().filter_map(|command| match command {
                Command::Deadline { ticket, .. } => Some(*ticket),
                _ => None,
            });
            let deadlines: Vec<Ticket> = deadlines.collect();
            assert_eq!(deadlines.len(), 1, "{statements}");
            let stopped = commands.contains(&Command::Stop(deadlines[0]));
            assert!(stopped, "{statements}");
        }
    }
}
