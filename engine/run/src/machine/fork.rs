//! Parallel nodes: branches with a context of their own, and where they meet again.
//!
//! A branch runs until a fan-in, a terminal node or a node all branches share. Which branches there are is
//! `branches`' to say, when all is decided `join`'s, and what they bring back `gather`'s.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::branches::first_nodes;
use super::join::{JoinRules, first_error, tally};
use super::meet::{nearer, only_fan_in};
use super::on_failure::only_notes_failure;
use super::plan::{Site, meeting_points};
use super::state::{BranchProgress, Fork};
use super::{Lane, LaneEnd, LaneId, Phase, Task, Turn, route};
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
        let starts: Vec<_> = first_nodes(site)
            .iter()
            .filter_map(|node| site.pipeline.by_id(node))
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
        let deadline = self.deadline(id, lane, site);
        if let Some(lane) = self.lane_mut(id) {
            lane.phase = Phase::Forked {
                fork: Fork {
                    stops,
                    branches,
                    join: None,
                    deadline,
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
        let most = rules(site, &lane, &fork).most_at_once();
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
            let edge = site
                .outgoing()
                .find(|edge| site.pipeline.id(edge.to) == branch.node);
            if let Some(child) = self.lane_mut(child) {
                child.stops.clone_from(&fork.stops);
                child.carried = edge.map(route::carried).unwrap_or_default();
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
        let (status, output) = match &end {
            LaneEnd::Failed(failure) => (Status::Fail, json!({ "error": failure.reason })),
            _ => self.branch_result(&ended),
        };
        if let LaneEnd::Arrived(join) = end
            && join != lane.node
        {
            fork.join = match (fork.join.take(), self.site(&lane)) {
                (Some(known), Some(site)) => Some(nearer(site, known, join)),
                _ => Some(join),
            };
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

    /// What a branch that came to its end has brought: how its last node went and what its nodes gave out. A
    /// failure that the author leads on is still one, unless it is only to be noted.
    fn branch_result(&self, ended: &Lane) -> (Status, Value) {
        let word = self.state.contexts.own(ended.scope, "outcome");
        let status = Status::parse(word.and_then(Value::as_str).unwrap_or_default());
        let noted = || self.site(ended).is_some_and(only_notes_failure);
        match status {
            Status::PartialSuccess => (status, ended.output.clone()),
            _ if status.is_failure() && !noted() => {
                let reason = self.state.contexts.own(ended.scope, "failure_reason");
                (Status::Fail, json!({ "error": reason }))
            }
            _ => (Status::Success, ended.output.clone()),
        }
    }

    /// Takes the fork out of its lane, to be put back by `keep_fork`: it grows with its branches, and copying
    /// it for each of them would cost their square.
    pub(super) fn take_fork(&mut self, id: LaneId) -> Option<(Lane, Fork)> {
        let lane = self.lane_mut(id)?;
        let Phase::Forked { fork } = &mut lane.phase else {
            return None;
        };
        let fork = std::mem::take(fork);
        Some((lane.clone(), fork))
    }

    pub(super) fn keep_fork(&mut self, id: LaneId, fork: Fork) {
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
        let Some(status) = rules(site, &lane, &fork).verdict(&fork) else {
            self.keep_fork(id, fork);
            self.todo.push_back(Task::Fill { lane: id });
            return;
        };
        let needed = rules(site, &lane, &fork).out_of_reach(&fork);
        for branch in &mut fork.branches {
            if !matches!(branch.progress, BranchProgress::Done { .. }) {
                for lane in self.let_go(std::slice::from_ref(branch)) {
                    self.drop_lane(lane);
                }
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
            let first = first_error(&fork);
            outcome.failure_reason = Some(match needed {
                Some(needed) => wording::too_few_succeeded(needed, failed, all, first),
                None => wording::branches_failed(failed, all, first),
            });
        }
        outcome.status = status;
        self.keep_fork(id, fork);
        self.in_time(id);
        self.came_to(id, outcome);
    }
}

fn rules<'p>(site: Site<'p>, lane: &Lane, fork: &Fork) -> JoinRules<'p> {
    JoinRules {
        fork: site,
        meet: only_fan_in(site, lane, fork),
    }
}

fn index_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
