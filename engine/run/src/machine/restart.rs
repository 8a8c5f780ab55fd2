//! Beginning again: a `loop_restart` edge starts the run over, and each call of a sub-pipeline is a new walk.
//!
//! What nodes came to is forgotten. How often they were entered is not: their attempts keep names of their own.

use super::{Lane, LaneId, Turn};
use crate::context::ROOT;

impl Turn<'_> {
    /// A `loop_restart` edge is taken: results, retries and rounds of the lane's graph are forgotten. In the
    /// pipeline that was started the context begins again too, but for `loop_restart_persist_keys`. A branch
    /// and a sub-pipeline keep theirs, which belongs to whoever began them.
    pub(super) fn start_over(&mut self, id: LaneId, lane: &Lane) {
        let Some(pipeline) = self.plan.graph(lane.graph.as_deref()) else {
            return;
        };
        for node in &pipeline.nodes {
            if let Some(record) = self.state.nodes.get_mut(&lane.key(&node.id)) {
                record.forget();
            }
        }
        if let Some(lane) = self.lane_mut(id) {
            lane.retries.clear();
            lane.loops.clear();
        }
        if lane.parent.is_none() {
            let kept = pipeline.attributes.list("loop_restart_persist_keys");
            self.state.contexts.begin_again(ROOT, &kept);
        }
    }

    /// A sub-pipeline is called: limits of its nodes and edges count from here.
    pub(super) fn new_walk(&mut self, child: &Lane) {
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
