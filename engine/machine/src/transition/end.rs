//! A run ends: it arrives, fails, is cancelled or interrupted.

use std::collections::BTreeMap;

use super::{Effect, End, Frame, FrameEnd, Phase, Transition};
use crate::context::ROOT;
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket};
use crate::outcome::{Failure, FailureClass};
use attractor_model::RunState;

impl Transition<'_> {
    /// Someone stops the run.
    pub(super) fn cancel(&mut self, by: &str) {
        self.emit(EventKind::PipelineCancelled {
            by: by.to_owned(),
            steps: self.state.steps,
        });
        self.stop(
            RunState::Cancelled,
            crate::transition::reasons::cancelled_by(by),
        );
    }

    /// The process has to end; the run has not.
    pub(super) fn interrupt(&mut self, by: &str) {
        self.emit(EventKind::PipelineInterrupted {
            by: by.to_owned(),
            steps: self.state.steps,
        });
        self.stop(
            RunState::Interrupted,
            crate::transition::reasons::interrupted_by(by),
        );
    }

    fn stop(&mut self, status: RunState, reason: String) {
        self.end_run(End {
            status,
            failure: Some(Failure {
                node: None,
                stopped: None,
                reason,
                class: FailureClass::Canceled,
            }),
            frames: BTreeMap::new(),
        });
    }

    /// Ends the run, well or not.
    pub(super) fn end_run(&mut self, mut end: End) {
        let frames = self.stop_all();
        if end.status.is_resumable() {
            end.frames = frames;
        }
        let completed = self.state.completed.clone();
        self.state.contexts.set(ROOT, "_completed_nodes", completed);
        let (steps, duration_ms, usage) = (self.state.steps, self.state.clock, self.state.usage);
        let event = match (&end.status, &end.failure) {
            (RunState::Success, _) => Some(EventKind::PipelineCompleted {
                steps,
                duration_ms,
                usage,
            }),
            (RunState::Fail, Some(failure)) => Some(EventKind::PipelineFailed {
                failure: failure.clone(),
                steps,
                duration_ms,
            }),
            // Said already, by an event of its own.
            _ => None,
        };
        self.out.extend(event.map(Box::new).map(Effect::Emit));
        self.state.end = Some(end);
    }

    /// Stops everything that is under way.
    fn stop_all(&mut self) -> BTreeMap<FrameId, Frame> {
        let frames = &mut self.state.frames;
        let steps = frames.iter().flat_map(|(id, frame)| {
            let open = frame.node_questions.iter().filter(|entry| entry.is_open());
            let steps = frame.step().into_iter().chain(open.map(|entry| entry.step));
            steps.map(|step| Ticket { frame: *id, step })
        });
        self.out.extend(steps.map(Effect::Stop));
        for frame in frames.values_mut() {
            frame.node_questions.retain(|entry| !entry.is_open());
        }
        std::mem::take(&mut self.state.frames)
    }

    /// A frame has ended: continue the frame that waits for it.
    pub(super) fn leave(&mut self, id: FrameId, end: FrameEnd) {
        let Some(frame) = self.frame(id) else { return };
        let parent = frame.parent;
        let waits = parent
            .and_then(|parent| self.frame(parent))
            .map(|frame| &frame.phase);
        match (parent, waits) {
            (Some(parent), Some(Phase::Split { .. })) => self.branch_ended(parent, id, end),
            (Some(parent), Some(Phase::Calling { .. })) => self.child_ended(parent, id, end),
            _ => self.end_run(match end {
                FrameEnd::Done | FrameEnd::Arrived(_) => End {
                    status: RunState::Success,
                    failure: None,
                    frames: BTreeMap::new(),
                },
                FrameEnd::Failed(failure) => End {
                    status: RunState::Fail,
                    failure: Some(failure),
                    frames: BTreeMap::new(),
                },
            }),
        }
    }
}
