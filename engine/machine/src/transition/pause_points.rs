//! Whether the run pauses by itself: at a node, an edge, a key of the context, a failure, the end of a step.

use attractor_lang::Status;
use attractor_lang::condition::{Facts, evaluate, parse};

use super::pause_notice::PauseNotice;
use super::{Frame, NodeRecord, Transition};
use crate::control::{FailurePoint, PauseReason, PointCondition, edge_point, node_point};
use crate::frame::FrameId;

impl Transition<'_> {
    /// An attempt has failed, and the node is tried again.
    pub(super) fn notice_retry(&mut self, id: FrameId) {
        let points = &self.state.pausing.points;
        if points.failures.contains(&FailurePoint::Retry) && !self.state.is_paused() {
            self.pause_at(Some(id), (PauseReason::Retry, None), "");
        }
    }

    /// A node has failed: the run pauses if it continues from it.
    pub(super) fn notice_failure(&mut self, id: FrameId, reason: &str) {
        let points = &self.state.pausing.points;
        if points.failures.contains(&FailurePoint::Failed) {
            self.notice(id, PauseReason::Failure, Some(reason.to_owned()));
        }
    }

    /// An outcome has set keys of the context.
    pub(super) fn notice_keys<'k>(&mut self, id: FrameId, keys: impl Iterator<Item = &'k String>) {
        let points = &self.state.pausing.points.keys;
        if points.is_empty() {
            return;
        }
        let mut set = keys.filter(|key| points.contains(*key));
        if let Some(key) = set.next().cloned() {
            self.notice(id, PauseReason::Key, Some(key));
        }
    }

    /// A frame takes an edge.
    pub(super) fn notice_edge(
        &mut self,
        id: FrameId,
        to: &str,
        label: Option<&str>,
        condition: Option<&str>,
    ) {
        if self.state.pausing.points.edges.is_empty() {
            return;
        }
        let Some(frame) = self.frame(id) else { return };
        let ends = (frame.node.as_str(), to);
        let point = edge_point(frame.graph.as_deref(), ends, label, condition);
        let point = self.state.pausing.points.edges.get(&point);
        if point.is_some_and(|point| self.holds(frame, point, frame.visit)) {
            self.notice(id, PauseReason::Edge, Some(to.to_owned()));
        }
    }

    fn notice(&mut self, frame: FrameId, reason: PauseReason, detail: Option<String>) {
        self.noticed.get_or_insert(PauseNotice {
            frame,
            reason,
            detail,
        });
    }

    /// Why the run pauses before a frame enters a node.
    pub(super) fn reason_to_pause(&self, id: FrameId, node: &str) -> Option<PauseReason> {
        let frame = self.frame(id)?;
        let pausing = &self.state.pausing;
        let point = pausing
            .points
            .nodes
            .get(&node_point(frame.graph.as_deref(), node));
        let visit = self.state.nodes.get(&frame.key(node));
        let visit = visit.map_or(0, NodeRecord::visits_here) + 1;
        if point.is_some_and(|point| self.holds(frame, point, visit)) {
            return Some(PauseReason::Node);
        }
        if pausing.points.entry {
            return Some(PauseReason::Entry);
        }
        let step = pausing.step.as_ref()?;
        let is_inside = |outer: FrameId| {
            let mut callers = std::iter::successors(frame.parent, |id| self.frame(*id)?.parent);
            callers.any(|caller| caller == outer)
        };
        let ends = step.frames.contains(&id) || step.within.is_some_and(is_inside);
        ends.then_some(PauseReason::Step)
    }

    /// Whether what a point demands holds. A condition that cannot be read does not.
    fn holds(&self, frame: &Frame, point: &PointCondition, visit: u32) -> bool {
        if point.visits.is_some_and(|visits| !visits.contains(visit)) {
            return false;
        }
        let Some(condition) = &point.when else {
            return true;
        };
        let Some(pipeline) = self.plan.graph(frame.graph.as_deref()) else {
            return false;
        };
        let (condition, errors) = parse(condition);
        let view = self.state.contexts.view(frame.scope, pipeline);
        let view = view.with_large_values(self.plan.large_values());
        let outcome = view.text("outcome");
        let facts = Facts {
            context: &view,
            status: outcome.map_or(Status::Success, Status::from),
            retries_left: false,
            labels: &[],
        };
        errors.is_empty() && evaluate(&condition, &facts).value
    }
}
