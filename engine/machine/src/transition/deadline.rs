//! `timeout` of nodes that hold others: parallel nodes, supervisors and sub-pipelines.
//!
//! Only a timeout of their own counts. One that defaults or a stylesheet give to all nodes is meant for each
//! piece of work, and these nodes hold many.

use super::{Effect, Frame, Phase, Transition};
use crate::frame::{FrameId, Ticket};
use crate::outcome::{FailureClass, Outcome};
use crate::plan::NodeRef;
use crate::transition::reasons;

impl Transition<'_> {
    /// Asks to be reported when the time of the node a frame begins is over; gives the step to be reported by.
    pub(super) fn deadline(
        &mut self,
        id: FrameId,
        frame: &Frame,
        node_ref: NodeRef<'_>,
    ) -> Option<u64> {
        let limit = node_ref.own_timeout()?;
        let step = self.new_step();
        let used = self.state.clock.saturating_sub(frame.since);
        self.out.push(Effect::Deadline {
            ticket: Ticket { frame: id, step },
            delay: limit.saturating_sub(used),
        });
        Some(step)
    }

    /// Another process continues with a node that holds others: what is left of its time.
    pub(super) fn rearm_deadline(&mut self, id: FrameId, frame: &Frame) {
        if frame.step().is_none() {
            return;
        }
        let Some(node_ref) = self.node_ref(frame) else {
            return;
        };
        let again = self.deadline(id, frame, node_ref);
        match self.frame_mut(id).map(|frame| &mut frame.phase) {
            Some(Phase::Split { split }) => split.deadline = again,
            Some(Phase::Calling { deadline, .. }) => *deadline = again,
            _ => {}
        }
    }

    /// What the node held is done in time.
    pub(super) fn cancel_deadline(&mut self, id: FrameId) {
        if let Some(step) = self.frame(id).and_then(Frame::step) {
            self.out.push(Effect::Stop(Ticket { frame: id, step }));
        }
    }

    /// The time of a node that holds others is over: they are stopped, and the node has failed.
    pub(super) fn on_deadline(&mut self, id: FrameId) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some(limit) = self.node_ref(&frame).and_then(NodeRef::own_timeout) else {
            return;
        };
        match &frame.phase {
            Phase::Split { .. } => self.drop_branches(id),
            Phase::Calling {
                child, shadowed, ..
            } => {
                self.drop_frame(*child);
                self.restore_shadowed(&frame, shadowed.clone());
            }
            Phase::Executing { .. }
            | Phase::Backoff { .. }
            | Phase::Waiting { .. }
            | Phase::Asking { .. }
            | Phase::Held { .. } => return,
        }
        let reason = reasons::took_too_long(limit);
        self.finish(id, Outcome::fail(FailureClass::Timeout, reason));
    }
}

#[cfg(test)]
mod tests {
    use attractor_model::Pipeline;

    use super::*;
    use crate::plan::Plan;
    use crate::transition::{Begin, Input, InputKind, State, next};

    /// All commands of a run in which every node succeeds at once.
    fn commands(statements: &str) -> Vec<Effect> {
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
                Effect::Execute(ticket) => Some(InputKind::Finished {
                    ticket: *ticket,
                    outcome: Box::new(Outcome::success()),
                    jitter: 1000,
                    unread: Vec::new(),
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
                Effect::Deadline { ticket, .. } => Some(*ticket),
                _ => None,
            });
            let deadlines: Vec<Ticket> = deadlines.collect();
            assert_eq!(deadlines.len(), 1, "{statements}");
            let stopped = commands.contains(&Effect::Stop(deadlines[0]));
            assert!(stopped, "{statements}");
        }
    }
}
