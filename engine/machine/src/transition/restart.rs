//! Restarts: a `loop_restart` edge starts the run over, and each call of a sub-pipeline is a new execution.
//!
//! The results of nodes are forgotten. The numbers of their visits are not: attempts have unique names.

use super::{Frame, Transition};
use crate::context::ROOT;
use crate::frame::FrameId;

impl Transition<'_> {
    /// A `loop_restart` edge is taken: results, retries and rounds of the frame's graph are forgotten. In the
    /// pipeline that was started the context begins again too, but for `loop_restart_persist_keys`. A branch
    /// and a sub-pipeline keep theirs, which belongs to the frame that started them.
    pub(super) fn start_over(&mut self, id: FrameId, frame: &Frame) {
        let Some(pipeline) = self.plan.graph(frame.graph.as_deref()) else {
            return;
        };
        for node in &pipeline.nodes {
            if let Some(record) = self.state.nodes.get_mut(&frame.key(&node.id)) {
                record.forget();
            }
        }
        if let Some(frame) = self.frame_mut(id) {
            frame.retries.clear();
            frame.loops.clear();
        }
        if frame.parent.is_none() {
            let kept = pipeline.attributes.list("loop_restart_persist_keys");
            self.state.contexts.begin_again(ROOT, &kept);
        }
    }

    /// A sub-pipeline is called: limits of its nodes and edges count from here.
    pub(super) fn new_walk(&mut self, child: &Frame) {
        let prefix = child.key("");
        for (_, record) in self
            .state
            .nodes
            .iter_mut()
            .filter(|(key, _)| key.starts_with(&prefix))
        {
            record.before = record.visits;
            record.forget();
        }
        self.state.edges.retain(|key, _| !key.starts_with(&prefix));
    }
}
