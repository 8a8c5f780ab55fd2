//! Parallel nodes: branches with a context of their own, and where they meet again.
//!
//! A branch runs until a fan-in, a terminal node or a node all branches share. Which branches there are is
//! `branches`' to say, when all is decided `join`'s, and what they bring back `gather`'s.

use std::collections::BTreeSet;

use serde_json::json;

use super::join::{self, first_error, tally};
use super::plan::{Site, meeting_points, territory};
use super::state::{BranchProgress, Fork};
use super::{Command, Lane, LaneEnd, LaneId, Phase, Task, Ticket, Turn};
use crate::event::EventKind;
use crate::outcome::{FailureClass, Outcome, Status};
use crate::wording;

impl Turn<'_> {
    /// Opens a fork.
    pub(super) fn fork(&mut self, id: LaneId, lane: &Lane, site: Site<'_>) {
        let branches = match self.branches(lane, site) {
            Ok(branches) => branches,
            Err(reason) => {
                self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
                return;
            }
        };
        let starts: Vec<_> = branches
            .iter()
            .filter_map(|branch| site.pipeline.by_id(&branch.node))
            .collect();
        let mut stops: BTreeSet<String> = meeting_points(site.pipeline, site.ix, &starts)
            .into_iter()
            .map(|ix| site.pipeline.id(ix).to_owned())
            .collect();
        stops.extend(lane.stops.iter().cloned());
        self.emit(EventKind::ParallelStarted {
            at: lane.place(),
            branches: branches.iter().map(|branch| branch.name.clone()).collect(),
        });
        if let Some(lane) = self.lane_mut(id) {
            lane.phase = Phase::Forked {
                fork: Fork {
                    stops,
                    branches,
                    join: None,
                },
            };
        }
        self.todo.push_back(Task::Fill { lane: id });
    }

    /// Opens as many branches as may run at once.
    pub(super) fn fill(&mut self, id: LaneId) {
        let Some((lane, mut fork)) = self.take_fork(id) else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        let most = site
            .count("max_parallel")
            .filter(|most| *most > 0)
            .map_or(4, |most| most as usize);
        let mut running = fork
            .branches
            .iter()
            .filter(|branch| matches!(branch.progress, BranchProgress::Running { .. }))
            .count();
        for (index, branch) in fork.branches.iter_mut().enumerate() {
            if running >= most {
                break;
            }
            if branch.progress != BranchProgress::Queued {
                continue;
            }
            running += 1;
            let scope = self.state.contexts.open(lane.scope);
            let path = match &lane.branch {
                Some(outer) => format!("{outer}/{}", branch.name),
                None => branch.name.clone(),
            };
            let child = self.open_lane(Some(id), lane.graph.clone(), scope, Some(path));
            if let Some(child) = self.lane_mut(child) {
                child.stops.clone_from(&fork.stops);
            }
            if let Some(item) = &branch.item {
                let key = site.written("item_key").unwrap_or("item");
                self.state.contexts.set(scope, key, item.clone());
            }
            branch.progress = BranchProgress::Running { lane: child };
            self.emit(EventKind::ParallelBranchStarted {
                at: lane.place(),
                name: branch.name.clone(),
                index: index_of(index),
            });
            self.todo.push_back(Task::Enter {
                lane: child,
                node: branch.node.clone(),
            });
        }
        let empty = fork.branches.is_empty();
        self.keep_fork(id, fork);
        if empty {
            self.decide(id);
        }
    }

    /// A branch has come to its end.
    pub(super) fn branch_ended(&mut self, id: LaneId, child: LaneId, end: LaneEnd) {
        let Some(ended) = self.state.lanes.remove(&child) else {
            return;
        };
        let Some((lane, mut fork)) = self.take_fork(id) else {
            return;
        };
        let status = match &end {
            LaneEnd::Done | LaneEnd::Arrived(_) => Status::Success,
            LaneEnd::Failed(_) => Status::Fail,
        };
        let output = match &end {
            LaneEnd::Failed(failure) => json!({ "error": failure.reason }),
            _ => ended.output,
        };
        if let LaneEnd::Arrived(join) = end
            && join != lane.node
        {
            fork.join.get_or_insert(join);
        }
        let mut place = None;
        for (index, branch) in fork.branches.iter_mut().enumerate() {
            if branch.progress == (BranchProgress::Running { lane: child }) {
                branch.progress = BranchProgress::Done {
                    status: status.clone(),
                    scope: ended.scope,
                    output: output.clone(),
                };
                place = Some((index, branch.name.clone()));
            }
        }
        if let Some((index, name)) = place {
            self.emit(EventKind::ParallelBranchCompleted {
                at: lane.place(),
                name,
                index: index_of(index),
                status,
            });
        }
        self.keep_fork(id, fork);
        self.decide(id);
    }

    /// Takes the fork out of its lane, to be put back by `keep_fork`: it grows with its branches, and copying
    /// it for each of them would cost their square.
    fn take_fork(&mut self, id: LaneId) -> Option<(Lane, Fork)> {
        let lane = self.lane_mut(id)?;
        let Phase::Forked { fork } = &mut lane.phase else {
            return None;
        };
        let fork = std::mem::take(fork);
        Some((lane.clone(), fork))
    }

    fn keep_fork(&mut self, id: LaneId, fork: Fork) {
        if let Some(lane) = self.lane_mut(id) {
            lane.phase = Phase::Forked { fork };
        }
    }

    /// Ends the fork when it is decided, else opens the next branch.
    fn decide(&mut self, id: LaneId) {
        let Some((lane, mut fork)) = self.take_fork(id) else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        let all = fork.branches.len();
        let (succeeded, failed) = tally(&fork);
        let verdict = join::verdict(site, all, succeeded, failed);
        let Some(status) = verdict else {
            self.keep_fork(id, fork);
            self.todo.push_back(Task::Fill { lane: id });
            return;
        };
        for branch in &mut fork.branches {
            if let BranchProgress::Running { lane } = branch.progress {
                self.drop_lane(lane);
            }
            if matches!(
                branch.progress,
                BranchProgress::Running { .. } | BranchProgress::Queued
            ) {
                branch.progress = BranchProgress::Dropped;
            }
        }
        self.emit(EventKind::ParallelCompleted {
            at: lane.place(),
            succeeded: index_of(succeeded),
            failed: index_of(failed),
        });
        let mut outcome = self.gather(&lane, &fork, failed, succeeded);
        if status == Status::Fail {
            outcome.failure_class = Some(FailureClass::Deterministic);
            outcome.failure_reason =
                Some(wording::branches_failed(failed, all, first_error(&fork)));
        }
        outcome.status = status;
        self.keep_fork(id, fork);
        self.finish(id, outcome);
    }

    /// Stops a lane and everything that belongs to it.
    pub(super) fn drop_lane(&mut self, id: LaneId) {
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            let Some(lane) = self.state.lanes.remove(&id) else {
                continue;
            };
            if let Some(step) = lane.step() {
                self.out.push(Command::Stop(Ticket { lane: id, step }));
            }
            if matches!(lane.phase, Phase::Forked { .. } | Phase::Calling { .. }) {
                doomed.extend(
                    self.state
                        .lanes
                        .iter()
                        .filter(|(_, child)| child.parent == Some(id))
                        .map(|(child, _)| *child),
                );
            }
            if lane.parent.is_some_and(|parent| self.opens_scope(parent)) {
                // A dropped branch leaves nothing behind.
                drop(self.state.contexts.close(lane.scope));
            }
        }
    }

    fn opens_scope(&self, parent: LaneId) -> bool {
        self.lane(parent)
            .is_none_or(|lane| matches!(lane.phase, Phase::Forked { .. }))
    }

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
        let branches: BTreeSet<String> = fork
            .branches
            .iter()
            .map(|branch| branch.node.clone())
            .collect();
        let join = fork.join.clone().or_else(|| only_way_to_meet(site, fork));
        (join, branches)
    }
}

/// Where branches would have met that ended early or were never run: their only common fan-in.
fn only_way_to_meet(site: Site<'_>, fork: &Fork) -> Option<String> {
    let mut meeting = fork.stops.iter().filter(|id| {
        site.pipeline
            .node_by_id(id)
            .is_some_and(|node| node.kind == attractor_model::NodeKind::FanIn)
    });
    let first = meeting.next()?;
    meeting.next().is_none().then(|| first.clone())
}

fn index_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
