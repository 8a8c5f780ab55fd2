//! A run pauses and continues. While it is paused no frame goes to a node and no attempt begins; what runs ends its step.
//!
//! A frame that would start something is *held*: its phase says what it continues with. The check is here, before the
//! work of a node begins, so that no breakpoint is missed whatever else happens at the same time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde_json::Value;

use super::pausing::{Paused, Stepping};
use super::timer::Timer;
use super::{Effect, Phase, Task, Transition};
use crate::control::{PausePoints, PauseReason, StepDepth, StepFrom};
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket};

impl Transition<'_> {
    /// A user pauses the run.
    pub(super) fn pause_run(&mut self, by: &str) {
        if !self.state.is_paused() {
            self.pause_at(None, (PauseReason::Request, None), by);
        }
    }

    /// A user sets where the run pauses.
    pub(super) fn set_points(&mut self, points: PausePoints, by: String) {
        if self.state.pausing.points != points {
            let count = u32::try_from(points.count()).unwrap_or(u32::MAX);
            self.state.pausing.points = points;
            self.emit(EventKind::PausePointsSet { by, count });
        }
    }

    /// A user lets a paused run continue, to its next pause.
    pub(super) fn continue_run(&mut self, step: Option<StepFrom>, by: String) {
        let Some(paused) = self.state.pausing.paused.take() else {
            return;
        };
        let paused_ms = self.end_pause(&paused);
        self.emit(EventKind::PipelineContinued { by, paused_ms });
        self.state.pausing.step = step.map(|step| self.stepping(step));
        self.continue_delays();
        self.release(paused.frame);
    }

    /// The run begins to run in another process, which pauses it at `points` and nowhere else. Gives the frame that it had
    /// paused at.
    pub(super) fn forget_pauses(&mut self, points: PausePoints) -> Option<FrameId> {
        let pausing = std::mem::take(&mut self.state.pausing);
        self.state.pausing.points = points;
        let paused = pausing.paused?;
        self.end_pause(&paused);
        paused.frame
    }

    /// A user changes the context of a held frame, or where it continues.
    pub(super) fn override_frame(
        &mut self,
        id: FrameId,
        set: BTreeMap<String, Value>,
        next: Option<String>,
        by: String,
    ) {
        let Some(frame) = self.frame(id).cloned().filter(|_| self.state.is_paused()) else {
            return;
        };
        let graph = frame.graph.as_deref();
        let next = next.filter(|next| {
            let is_held = matches!(frame.phase, Phase::Held { again: false, .. });
            is_held && self.plan.node_ref(graph, next).is_some()
        });
        if set.is_empty() && next.is_none() {
            return;
        }
        let keys = set.keys().cloned().collect();
        for (key, value) in set {
            self.state.contexts.set(frame.scope, key, value);
        }
        if let (Some(next), Some(current)) = (&next, self.frame_mut(id)) {
            current.phase = Phase::Held {
                node: next.clone(),
                again: false,
            };
        }
        self.emit(EventKind::ContextOverridden {
            by,
            keys,
            graph: frame.graph,
            branch: frame.branch,
            next,
        });
    }

    /// A frame goes to a node, unless the run is paused or pauses here.
    pub(super) fn arrive(&mut self, id: FrameId, node: &str) {
        let notice = self.noticed.take_if(|notice| notice.frame == id);
        let Some(frame) = self.frame(id) else { return };
        // Where branches meet is not a node of this frame.
        let leaves = frame.stops.contains(node);
        if self.state.pausing.is_default() && notice.is_none() {
            self.enter(id, node);
            return;
        }
        if !self.state.is_paused() {
            let found = notice.map(|notice| (notice.reason, notice.detail));
            let at_node = || self.reason_to_pause(id, node).map(|reason| (reason, None));
            if let Some(why) = found.or_else(|| at_node().filter(|_| !leaves)) {
                self.state.pausing.points.entry = false;
                let held = self.hold(id, node, false);
                self.pause_at(held.then_some(id), why, "");
                return;
            }
        }
        if self.state.is_paused() && !leaves {
            self.hold(id, node, false);
        } else {
            self.enter(id, node);
        }
    }

    /// The next attempt of a node is due. While the run is paused it is late: its delay continues with the run.
    pub(super) fn try_again(&mut self, id: FrameId) {
        if !self.state.is_paused() {
            self.begin(id);
        }
    }

    /// The delays before other attempts continue. What was due while the run was paused is due now.
    fn continue_delays(&mut self) {
        let frames = self.state.frames.iter();
        let delayed = frames.filter_map(|(id, frame)| match frame.phase {
            Phase::Backoff { step, timer } => Some((*id, step, timer)),
            _ => None,
        });
        let delayed: Vec<(FrameId, u64, Timer)> = delayed.collect();
        for (frame, step, timer) in delayed {
            self.out.push(Effect::Stop(Ticket { frame, step }));
            let step = self.new_step();
            let delay = self.left(timer);
            if let Some(frame) = self.frame_mut(frame) {
                frame.phase = Phase::Backoff { step, timer };
            }
            let ticket = Ticket { frame, step };
            self.out.push(Effect::Wait { ticket, delay });
        }
    }

    /// A held frame continues; `passes` the points of the node that it has paused at.
    pub(super) fn continue_held(&mut self, id: FrameId, passes: bool) {
        let phase = self.frame(id).map(|frame| frame.phase.clone());
        match phase {
            Some(Phase::Held { again: true, .. }) => self.try_again(id),
            Some(Phase::Held { node, .. }) if passes && !self.state.is_paused() => {
                self.enter(id, &node);
            }
            Some(Phase::Held { node, .. }) => self.arrive(id, &node),
            _ => {}
        }
    }

    /// All held frames continue. `passed` has paused the run.
    pub(super) fn release(&mut self, passed: Option<FrameId>) {
        let frames = self.state.frames.iter();
        let held = frames.filter(|(_, frame)| matches!(frame.phase, Phase::Held { .. }));
        let tasks = held.map(|(id, _)| Task::Release {
            frame: *id,
            passes: passed == Some(*id),
        });
        self.todo.extend(tasks);
    }

    /// A frame begins its node again, as another run: here the run may pause on entry.
    pub(super) fn begin_forked(&mut self, id: FrameId) {
        if !std::mem::take(&mut self.state.pausing.points.entry) {
            self.begin(id);
            return;
        }
        let node = self.frame(id).map(|frame| frame.node.clone());
        self.hold(id, &node.unwrap_or_default(), true);
        self.pause_at(Some(id), (PauseReason::Entry, None), "");
    }

    /// Says whether the frame is there.
    fn hold(&mut self, id: FrameId, node: &str, again: bool) -> bool {
        let Some(frame) = self.frame_mut(id) else {
            return false;
        };
        frame.phase = Phase::Held {
            node: node.to_owned(),
            again,
        };
        true
    }

    pub(super) fn pause_at(
        &mut self,
        frame: Option<FrameId>,
        (reason, detail): (PauseReason, Option<String>),
        by: &str,
    ) {
        self.state.pausing.step = None;
        self.state.pausing.paused = Some(Paused {
            reason,
            frame,
            since: self.state.now,
        });
        let at = frame.and_then(|id| self.frame(id));
        let node = at.map(|at| match &at.phase {
            Phase::Held { node, .. } => node.clone(),
            _ => at.node.clone(),
        });
        let event = EventKind::PipelinePaused {
            reason,
            by: by.to_owned(),
            node,
            graph: at.and_then(|at| at.graph.clone()),
            branch: at.and_then(|at| at.branch.clone()),
            detail,
        };
        self.emit(event);
    }

    fn stepping(&self, StepFrom { frame, depth }: StepFrom) -> Stepping {
        let callers = std::iter::successors(Some(frame), |id| self.frame(*id)?.parent);
        let skipped = usize::from(depth == StepDepth::Out);
        let frames: BTreeSet<FrameId> = callers.skip(skipped).collect();
        Stepping {
            frames,
            within: (depth == StepDepth::Into).then_some(frame),
        }
    }

    /// What is due at a time of day is due later by the length of the pause; gives that in milliseconds.
    fn end_pause(&mut self, paused: &Paused) -> u64 {
        let length = self.state.now.saturating_sub(paused.since).max(0);
        for frame in self.state.frames.values_mut() {
            match &mut frame.phase {
                Phase::Backoff { timer, .. } | Phase::Waiting { timer, .. } => {
                    timer.postpone(length);
                }
                Phase::Asking { question, .. } => postpone(&mut question.deadline, length),
                _ => {}
            }
            for entry in &mut frame.node_questions {
                postpone(&mut entry.question.deadline, length);
            }
        }
        length.unsigned_abs()
    }
}

/// Moves a time, RFC 3339, by milliseconds.
fn postpone(time: &mut Option<String>, length: i64) {
    let moved = time.as_ref().and_then(|time| {
        let time: Timestamp = time.parse().ok()?;
        let moved = time.as_millisecond().saturating_add(length);
        Timestamp::from_millisecond(moved).ok()
    });
    if let Some(moved) = moved {
        *time = Some(format!("{moved:.3}"));
    }
}
