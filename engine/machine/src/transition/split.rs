//! Parallel nodes: branches with a context of their own, and where they meet again.
//!
//! A branch runs until a fan-in, a terminal node or a node all branches share. Which branches there are is
//! `branches`' to say, when all is decided `join`'s, and what they bring back `gather`'s.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::branches::first_nodes;
use super::join::{JoinRules, first_error, tally};
use super::join_point::{earlier_join, unique_fan_in};
use super::merge_files::worktree_of;
use super::on_failure::only_notes_failure;
use super::state::{BranchProgress, Split};
use super::{Frame, FrameEnd, Phase, Task, Transition, route};
use crate::event::EventKind;
use crate::frame::{FrameId, Worktree};
use crate::outcome::{FailureClass, Outcome, Status};
use crate::plan::{NodeRef, meeting_points};
use crate::transition::reasons;

impl Transition<'_> {
    /// Opens a split.
    pub(super) fn split(&mut self, id: FrameId, frame: &Frame, node_ref: NodeRef<'_>) {
        let branches = match self.branches(frame, node_ref) {
            Ok(branches) => branches,
            Err(reason) => {
                self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
                return;
            }
        };
        let starts: Vec<_> = first_nodes(node_ref)
            .iter()
            .filter_map(|node| node_ref.pipeline.by_id(node))
            .collect();
        let mut stops: BTreeSet<String> = meeting_points(node_ref.pipeline, node_ref.ix, &starts)
            .into_iter()
            .map(|ix| node_ref.pipeline.id(ix).to_owned())
            .collect();
        stops.extend(frame.stops.iter().cloned());
        self.emit(EventKind::ParallelStarted {
            at: frame.node_attempt(),
            branches: branches.iter().map(|branch| branch.name.clone()).collect(),
        });
        let worktrees = self.worktrees_of(frame, node_ref);
        let deadline = self.deadline(id, frame, node_ref);
        if let Some(frame) = self.frame_mut(id) {
            frame.unmerged = None;
            frame.phase = Phase::Split {
                split: Split {
                    stops,
                    branches,
                    worktrees,
                    join: None,
                    deadline,
                },
            };
        }
        self.todo.push_back(Task::Fill { frame: id });
    }

    /// Opens as many branches as may run at once.
    pub(super) fn fill(&mut self, id: FrameId) {
        let Some((frame, mut split)) = self.take_split(id) else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let most = rules(node_ref, &frame, &split).most_at_once();
        let mut running = split
            .branches
            .iter()
            .filter(|branch| matches!(branch.progress, BranchProgress::Running { .. }))
            .count();
        let worktrees = split.worktrees.clone();
        for (index, branch) in split.branches.iter_mut().enumerate() {
            if running >= most {
                break;
            }
            if branch.progress != BranchProgress::Queued {
                continue;
            }
            running += 1;
            let scope = self.state.contexts.open(frame.scope);
            let path = match &frame.branch {
                Some(outer) => format!("{outer}/{}", branch.name),
                None => branch.name.clone(),
            };
            let child = self.open_frame(Some(id), frame.graph.clone(), scope, Some(path));
            let edge = node_ref
                .outgoing()
                .find(|edge| node_ref.pipeline.id(edge.to) == branch.node);
            let worktree = worktree_of(worktrees.as_ref(), &branch.name);
            if let Some(child) = self.frame_mut(child) {
                child.stops.clone_from(&split.stops);
                child.worktree = worktree.clone().or(child.worktree.take());
                child.carried = edge.map(route::carried).unwrap_or_default();
            }
            if let Some(item) = &branch.item {
                let key = node_ref.written("item_key").unwrap_or("item");
                self.state.contexts.set(scope, key, item.clone());
            }
            branch.progress = BranchProgress::Running { frame: child };
            self.emit(EventKind::ParallelBranchStarted {
                at: frame.node_attempt(),
                name: branch.name.clone(),
                index: index_of(index),
                worktree: worktree.as_ref().map(Worktree::path),
            });
            self.todo.push_back(Task::Enter {
                frame: child,
                node: branch.node.clone(),
            });
        }
        let empty = split.branches.is_empty();
        self.keep_split(id, split);
        if empty {
            self.decide(id);
        }
    }

    /// A branch has ended.
    pub(super) fn branch_ended(&mut self, id: FrameId, child: FrameId, end: FrameEnd) {
        let Some(ended) = self.state.frames.remove(&child) else {
            return;
        };
        let Some((frame, mut split)) = self.take_split(id) else {
            return;
        };
        let (status, output) = match &end {
            FrameEnd::Failed(failure) => (Status::Fail, json!({ "error": failure.reason })),
            _ => self.branch_result(&ended),
        };
        if let FrameEnd::Arrived(join) = end
            && join != frame.node
        {
            split.join = match (split.join.take(), self.node_ref(&frame)) {
                (Some(known), Some(node_ref)) => Some(earlier_join(node_ref, known, join)),
                _ => Some(join),
            };
        }
        let mut place = None;
        for (index, branch) in split.branches.iter_mut().enumerate() {
            if branch.progress == (BranchProgress::Running { frame: child }) {
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
                at: frame.node_attempt(),
                name,
                index: index_of(index),
                status,
            });
        }
        self.keep_split(id, split);
        self.decide(id);
    }

    /// The result of a branch: the status of its last node and the output of its nodes. A failure that is routed to
    /// another node is still a failure, unless it is only to be recorded.
    fn branch_result(&self, ended: &Frame) -> (Status, Value) {
        let word = self.state.contexts.own(ended.scope, "outcome");
        let status = Status::parse(word.and_then(Value::as_str).unwrap_or_default());
        let noted = || self.node_ref(ended).is_some_and(only_notes_failure);
        match status {
            Status::PartialSuccess => (status, ended.output.clone()),
            _ if status.is_failure() && !noted() => {
                let reason = self.state.contexts.own(ended.scope, "failure_reason");
                (Status::Fail, json!({ "error": reason }))
            }
            _ => (Status::Success, ended.output.clone()),
        }
    }

    /// Takes the split out of its frame, to be put back by `keep_split`: it grows with its branches, and copying
    /// it for each of them would cost their square.
    pub(super) fn take_split(&mut self, id: FrameId) -> Option<(Frame, Split)> {
        let frame = self.frame_mut(id)?;
        let Phase::Split { split } = &mut frame.phase else {
            return None;
        };
        let split = std::mem::take(split);
        Some((frame.clone(), split))
    }

    pub(super) fn keep_split(&mut self, id: FrameId, split: Split) {
        if let Some(frame) = self.frame_mut(id) {
            frame.phase = Phase::Split { split };
        }
    }

    /// Ends the split when it is decided, else opens the next branch.
    fn decide(&mut self, id: FrameId) {
        let Some((frame, mut split)) = self.take_split(id) else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let all = split.branches.len();
        let (succeeded, failed) = tally(&split);
        let Some(status) = rules(node_ref, &frame, &split).verdict(&split) else {
            self.keep_split(id, split);
            self.todo.push_back(Task::Fill { frame: id });
            return;
        };
        let needed = rules(node_ref, &frame, &split).out_of_reach(&split);
        for branch in &mut split.branches {
            if !matches!(branch.progress, BranchProgress::Done { .. }) {
                for frame in self.let_go(std::slice::from_ref(branch)) {
                    self.drop_frame(frame);
                }
                branch.progress = BranchProgress::Dropped;
            }
        }
        self.emit(EventKind::ParallelCompleted {
            at: frame.node_attempt(),
            succeeded: index_of(succeeded),
            failed: index_of(failed),
        });
        let mut outcome = self.gather(&frame, &split, failed, succeeded);
        if status == Status::Fail {
            outcome.failure_class = Some(FailureClass::Deterministic);
            let first = first_error(&split);
            outcome.failure_reason = Some(match needed {
                Some(needed) => reasons::too_few_succeeded(needed, failed, all, first),
                None => reasons::branches_failed(failed, all, first),
            });
        }
        outcome.status = status;
        self.keep_split(id, split);
        self.decided(id, &frame, outcome);
    }
}

fn rules<'p>(node_ref: NodeRef<'p>, frame: &Frame, split: &Split) -> JoinRules<'p> {
    JoinRules {
        split: node_ref,
        meet: unique_fan_in(node_ref, frame, split),
    }
}

fn index_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
