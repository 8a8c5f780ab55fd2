//! Where the branches of a parallel node meet, and what lies inside and outside of them.

use std::collections::BTreeSet;

use attractor_model::NodeKind;

use super::branches::first_nodes;
use super::plan::{Site, reachable, territory};
use super::state::{BranchProgress, Fork};
use super::{Lane, LaneId, Phase, Turn};

impl Turn<'_> {
    /// Whether a lane walks a branch, and `target` stands outside of it: at or behind the place where the
    /// branches meet, or before they parted.
    pub(super) fn leaves_branch(&self, id: LaneId, target: &str) -> bool {
        let Some(lane) = self.lane(id) else {
            return false;
        };
        let fork = lane
            .parent
            .and_then(|parent| match &self.lane(parent)?.phase {
                Phase::Forked { fork } => Some(fork),
                _ => None,
            });
        let start = fork.and_then(|fork| {
            let own = BranchProgress::Running { lane: id };
            fork.branches.iter().find(|branch| branch.progress == own)
        });
        let (Some(start), Some(pipeline)) = (start, self.plan.graph(lane.graph.as_deref())) else {
            return false;
        };
        !territory(pipeline, &start.node, &lane.stops).contains(target)
    }

    /// Where a finished parallel node leads, and the edges that are its branches.
    pub(super) fn fork_exits(
        &self,
        lane: &Lane,
        site: Site<'_>,
    ) -> (Option<String>, BTreeSet<String>) {
        let Some(Phase::Forked { fork }) = self
            .state
            .lanes
            .values()
            .find(|now| now.node == lane.node && now.scope == lane.scope && now.graph == lane.graph)
            .map(|now| &now.phase)
        else {
            return (None, BTreeSet::new());
        };
        let branches: BTreeSet<String> = first_nodes(site).into_iter().collect();
        let join = fork
            .join
            .clone()
            .or_else(|| only_fan_in(site, lane, fork).map(|site| site.node.id.to_string()));
        (join, branches)
    }
}

/// The only fan-in where the branches of this fork meet; also where those would have met that ended early or
/// were never run.
pub(super) fn only_fan_in<'p>(site: Site<'p>, lane: &Lane, fork: &Fork) -> Option<Site<'p>> {
    let mut meeting = fork
        .stops
        .iter()
        .filter(|id| !lane.stops.contains(*id))
        .filter_map(|id| site.at(id))
        .filter(|site| site.node.kind == NodeKind::FanIn);
    let first = meeting.next()?;
    meeting.next().is_none().then_some(first)
}

/// Of two places where branches of one fork have arrived, the one that leads to the other, whichever was first.
pub(super) fn nearer(site: Site<'_>, one: String, other: String) -> String {
    // Nearly always they meet at one place, and the paths need not be walked.
    if one == other {
        return one;
    }
    let leads = |from: &str, to: &str| {
        let ends = site.pipeline.by_id(from).zip(site.pipeline.by_id(to));
        ends.is_some_and(|(from, to)| reachable(site.pipeline, from, None).contains(&to))
    };
    match (leads(&one, &other), leads(&other, &one)) {
        (true, false) => one,
        (false, true) => other,
        _ => one.min(other),
    }
}
