//! A run that begins as a copy of another one: the node that was entered last begins again.

use std::collections::BTreeMap;

use attractor_model::Reality;
use serde_json::Value;

use super::{Frame, Phase, Transition};
use crate::event::{EventKind, ForkedFiles, NodeAttempt};
use crate::frame::FrameId;
use crate::transition::reasons;

impl Transition<'_> {
    /// The inputs up to here are those of the run `from`, which had just entered a node: that of `visit`, outside of branches,
    /// else that of its main frame. Nothing of the work that began there belongs to this run.
    pub(super) fn forked(
        &mut self,
        visit: Option<&NodeAttempt>,
        from: String,
        set: BTreeMap<String, Value>,
        (files, reality): (ForkedFiles, Option<Reality>),
    ) {
        let mut frames = self.state.frames.iter();
        let is_meant = |frame: &Frame| match visit {
            Some(visit) => frame.node_attempt() == *visit,
            None => frame.parent.is_none(),
        };
        let Some((id, frame)) = frames.find(|(_, frame)| is_meant(frame)) else {
            return;
        };
        let (id, frame): (FrameId, _) = (*id, frame.clone());
        self.emit(EventKind::PipelineForked {
            from,
            at: frame.node_attempt(),
            set: set.keys().cloned().collect(),
            files,
            reality,
        });
        self.withdraw_all(id, &frame, reasons::FORKED);
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
            | Phase::Held { .. } => {}
        }
        if let Some(frame) = self.frame_mut(id) {
            frame.node_questions.clear();
        }
        for (key, value) in set {
            self.state.contexts.set(frame.scope, key, value);
        }
        self.rearm_callers(&frame);
        self.begin_forked(id);
    }

    /// The time of the nodes that have called the pipeline of a frame continues.
    fn rearm_callers(&mut self, frame: &Frame) {
        let mut caller = frame.parent;
        while let Some((id, frame)) = caller.and_then(|id| Some((id, self.frame(id)?.clone()))) {
            self.rearm_deadline(id, &frame);
            caller = frame.parent;
        }
    }
}
