//! What is stopped before its end: branches that are not needed any more, and all that belongs to them.

use super::state::{Branch, BranchProgress};
use super::{Effect, Phase, Transition};
use crate::event::{EventKind, NodeAttempt};
use crate::frame::{FrameId, Ticket};
use crate::outcome::Usage;
use crate::transition::reasons;

impl Transition<'_> {
    /// Stops every branch of a split; what they wrote is lost.
    pub(super) fn drop_branches(&mut self, id: FrameId) {
        let Some((_, mut split)) = self.take_split(id) else {
            return;
        };
        for frame in self.let_go(&split.branches) {
            self.drop_frame(frame);
        }
        for branch in &mut split.branches {
            branch.progress = BranchProgress::Dropped;
        }
        self.keep_split(id, split);
    }

    /// Closes the contexts of branches: a dropped one leaves nothing behind. Gives the frames that walk them.
    pub(super) fn let_go(&mut self, branches: &[Branch]) -> Vec<FrameId> {
        let mut walking = Vec::new();
        for branch in branches {
            let scope = match branch.progress {
                BranchProgress::Running { frame } => {
                    walking.push(frame);
                    self.frame(frame).map(|frame| frame.scope)
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

    /// What an attempt had used that was stopped with its branch counts in the run and its budgets.
    pub(super) fn spent(&mut self, at: NodeAttempt, usage: Usage) {
        self.state.usage.add(&usage);
        self.emit(EventKind::StageStopped { at, usage });
        self.warn_budget();
    }

    /// Stops a frame and everything that belongs to it.
    pub(super) fn drop_frame(&mut self, id: FrameId) {
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            let Some(frame) = self.state.frames.remove(&id) else {
                continue;
            };
            self.withdraw_all(id, &frame, reasons::BRANCH_STOPPED);
            if let Some(step) = frame.step() {
                self.out.push(Effect::Stop(Ticket { frame: id, step }));
            }
            match &frame.phase {
                Phase::Split { split } => doomed.extend(self.let_go(&split.branches)),
                Phase::Calling { child, .. } => doomed.push(*child),
                Phase::Executing { .. }
                | Phase::Backoff { .. }
                | Phase::Waiting { .. }
                | Phase::Asking { .. }
                | Phase::Held { .. } => {}
            }
        }
    }
}
