//! Where the branches of a parallel node meet, and what lies inside and outside of them.

use std::collections::BTreeSet;

use attractor_model::NodeKind;

use super::branches::first_nodes;
use super::state::{BranchProgress, Split};
use super::{Frame, Phase, Transition};
use crate::frame::FrameId;
use crate::plan::{NodeRef, branch_nodes, reachable};

impl Transition<'_> {
    /// Whether a frame walks a branch, and `target` is outside of it: at or behind the place where the
    /// branches meet, or before they parted.
    pub(super) fn leaves_branch(&self, id: FrameId, target: &str) -> bool {
        let Some(frame) = self.frame(id) else {
            return false;
        };
        let split = frame
            .parent
            .and_then(|parent| match &self.frame(parent)?.phase {
                Phase::Split { split } => Some(split),
                _ => None,
            });
        let start = split.and_then(|split| {
            let own = BranchProgress::Running { frame: id };
            split.branches.iter().find(|branch| branch.progress == own)
        });
        let (Some(start), Some(pipeline)) = (start, self.plan.graph(frame.graph.as_deref())) else {
            return false;
        };
        !branch_nodes(pipeline, &start.node, &frame.stops).contains(target)
    }

    /// Where a finished parallel node leads, and the edges that are its branches.
    pub(super) fn split_exits(
        &self,
        frame: &Frame,
        node_ref: NodeRef<'_>,
    ) -> (Option<String>, BTreeSet<String>) {
        let Some(Phase::Split { split }) = self
            .state
            .frames
            .values()
            .find(|now| {
                now.node == frame.node && now.scope == frame.scope && now.graph == frame.graph
            })
            .map(|now| &now.phase)
        else {
            return (None, BTreeSet::new());
        };
        let branches: BTreeSet<String> = first_nodes(node_ref).into_iter().collect();
        let join = split.join.clone().or_else(|| {
            unique_fan_in(node_ref, frame, split).map(|node_ref| node_ref.node.id.to_string())
        });
        (join, branches)
    }
}

/// The only fan-in where the branches of this split meet; also where those would have met that ended early or
/// were never run.
pub(super) fn unique_fan_in<'p>(
    node_ref: NodeRef<'p>,
    frame: &Frame,
    split: &Split,
) -> Option<NodeRef<'p>> {
    let mut meeting = split
        .stops
        .iter()
        .filter(|id| !frame.stops.contains(*id))
        .filter_map(|id| node_ref.at(id))
        .filter(|node_ref| node_ref.node.kind == NodeKind::FanIn);
    let first = meeting.next()?;
    meeting.next().is_none().then_some(first)
}

/// Of two places where branches of one split have arrived, the one that leads to the other, whichever was first.
pub(super) fn earlier_join(node_ref: NodeRef<'_>, one: String, other: String) -> String {
    // Nearly always they meet at one place, and the paths need not be walked.
    if one == other {
        return one;
    }
    let leads = |from: &str, to: &str| {
        let ends = node_ref
            .pipeline
            .by_id(from)
            .zip(node_ref.pipeline.by_id(to));
        ends.is_some_and(|(from, to)| reachable(node_ref.pipeline, from, None).contains(&to))
    };
    match (leads(&one, &other), leads(&other, &one)) {
        (true, false) => one,
        (false, true) => other,
        _ => one.min(other),
    }
}
