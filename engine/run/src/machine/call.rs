//! Sub-pipelines: `pipeline` nodes run one once, `supervisor` nodes until they are satisfied.
//!
//! A sub-pipeline walks in a lane of its own and shares the context of the node that calls it. What it is given
//! for its walk is `lend`'s to say.

use std::collections::BTreeMap;

use attractor_lang::condition::{Facts, evaluate, parse};
use attractor_model::{NodeKind, Pipeline};

use super::plan::Site;
use super::state::Lent;
use super::{Lane, LaneEnd, LaneId, Phase, Task, Turn};
use crate::outcome::{FailureClass, Outcome, Status};
use crate::wording;

/// One run of a sub-pipeline.
struct Call {
    graph: String,
    start: String,
    iteration: u32,
}

impl Call {
    fn of(called: &Pipeline, iteration: u32) -> Option<Self> {
        Some(Self {
            graph: called.name.clone(),
            start: called.id(called.start?).to_owned(),
            iteration,
        })
    }
}

/// How deep sub-pipelines may call each other.
const DEEPEST: usize = 16;

impl Turn<'_> {
    /// Starts the sub-pipeline of a node.
    pub(super) fn call(&mut self, id: LaneId, lane: &Lane, site: Site<'_>) {
        let Some(name) = site.called() else {
            self.look_once(id, lane, site);
            return;
        };
        if self.depth(id) >= DEEPEST {
            self.refuse_call(id, wording::too_deep(&lane.node, DEEPEST));
            return;
        }
        let Some(called) = self.plan.called(name) else {
            self.refuse_call(id, wording::unknown_sub_pipeline(&lane.node, name));
            return;
        };
        let Some(call) = Call::of(called, 1) else {
            self.refuse_call(id, wording::no_start(&called.name));
            return;
        };
        match self.lend(lane, site, called) {
            Ok(lent) => {
                let deadline = self.deadline(id, lane, site);
                self.run_child(id, call, lent, deadline);
            }
            Err(missing) => {
                self.refuse_call(id, wording::missing_inputs(&lane.node, name, &missing));
            }
        }
    }

    /// A supervisor that starts nothing watches what others write. Nothing changes the context of this lane
    /// while it watches, so one look shows what `max_iterations` looks would.
    fn look_once(&mut self, id: LaneId, lane: &Lane, site: Site<'_>) {
        if site.node.kind != NodeKind::Supervisor {
            self.refuse_call(id, wording::no_sub_pipeline(&lane.node));
            return;
        }
        let outcome = if self.watched(lane, site) {
            Outcome::success()
        } else {
            let reason = wording::never_satisfied(&lane.node, iterations(site), None);
            Outcome::fail(FailureClass::BudgetExhausted, reason)
        };
        self.finish(id, outcome);
    }

    /// Whether what a supervisor watches is done: its condition, else what `stack.child.status` says.
    fn watched(&self, lane: &Lane, site: Site<'_>) -> bool {
        let child = self.view(lane, site).text("stack.child.status");
        let status = match child.as_deref() {
            Some("completed" | "success") => Status::Success,
            _ => Status::Fail,
        };
        self.is_satisfied(lane, site, &status)
    }

    fn refuse_call(&mut self, id: LaneId, reason: String) {
        self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
    }

    fn run_child(
        &mut self,
        id: LaneId,
        call: Call,
        lent: BTreeMap<String, Lent>,
        deadline: Option<u64>,
    ) {
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Call {
            graph,
            start,
            iteration,
        } = call;
        let supervised = self
            .site(&lane)
            .is_some_and(|site| site.node.kind == NodeKind::Supervisor);
        let contexts = &mut self.state.contexts;
        if supervised {
            contexts.set(lane.scope, "_supervisor_iteration", iteration);
        }
        contexts.set(lane.scope, "stack.child.status", "running");
        let child = self.open_lane(Some(id), Some(graph), lane.scope, lane.branch.clone());
        if let Some(walker) = self.lane(child).cloned() {
            self.new_walk(&walker);
        }
        if let Some(lane) = self.lane_mut(id) {
            lane.phase = Phase::Calling {
                child,
                iteration,
                lent,
                deadline,
            };
        }
        self.todo.push_back(Task::Enter {
            lane: child,
            node: start,
        });
    }

    /// The sub-pipeline has come to its end.
    pub(super) fn child_ended(&mut self, id: LaneId, child: LaneId, end: LaneEnd) {
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Some(site) = self.site(&lane) else { return };
        let Phase::Calling {
            iteration,
            lent,
            deadline,
            ..
        } = lane.phase.clone()
        else {
            return;
        };
        let Some(ended) = self.state.lanes.remove(&child) else {
            return;
        };
        let (status, word) = match &end {
            LaneEnd::Done | LaneEnd::Arrived(_) => (Status::Success, "completed"),
            LaneEnd::Failed(_) => (Status::Fail, "failed"),
        };
        let contexts = &mut self.state.contexts;
        contexts.set(lane.scope, "stack.child.status", word);
        contexts.set(lane.scope, "stack.child.outcome", status.name());
        let failed = match end {
            LaneEnd::Failed(failure) => Some((failure.class, wording::child_failed(&failure))),
            LaneEnd::Done | LaneEnd::Arrived(_) => None,
        };
        let supervised = site.node.kind == NodeKind::Supervisor;
        let satisfied = supervised && self.is_satisfied(&lane, site, &status);
        let most = iterations(site);
        if supervised && !satisfied && iteration < most {
            let again = ended.graph.and_then(|graph| {
                let called = self.plan.graph(Some(&graph))?;
                Call::of(called, iteration + 1)
            });
            match again {
                Some(again) => self.run_child(id, again, lent, deadline),
                None => self.refuse_call(id, wording::no_start(&lane.node)),
            }
            return;
        }
        let mut outcome = match (supervised, failed) {
            (false, None) => Outcome::success(),
            (false, Some((class, reason))) => Outcome::fail(class, reason),
            (true, _) if satisfied => Outcome::success(),
            (true, failed) => {
                let last = failed.as_ref().map(|(_, reason)| reason.as_str());
                let reason = wording::never_satisfied(&lane.node, most, last);
                Outcome::fail(FailureClass::BudgetExhausted, reason)
            }
        };
        if supervised {
            outcome = outcome.with("_supervisor_iterations", iteration);
        }
        if satisfied {
            outcome.notes = wording::iterations(iteration);
        }
        outcome.output = ended.output;
        self.take_back(&lane, lent);
        self.in_time(id);
        self.came_to(id, outcome);
    }

    /// Whether a supervisor is done: its condition, or else a successful sub-pipeline.
    fn is_satisfied(&self, lane: &Lane, site: Site<'_>, status: &Status) -> bool {
        let Some(text) = site.written("done_condition") else {
            return status.is_success();
        };
        let (condition, errors) = parse(text);
        let view = self.whole_view(lane, site);
        let facts = Facts {
            context: &view,
            status: status.clone(),
            retries_left: false,
            labels: &[],
        };
        errors.is_empty() && evaluate(&condition, &facts).value
    }

    fn depth(&self, id: LaneId) -> usize {
        std::iter::successors(self.lane(id), |lane| self.lane(lane.parent?)).count()
    }
}

/// How often a supervisor looks at most.
fn iterations(site: Site<'_>) -> u32 {
    site.count("max_iterations").unwrap_or(5).max(1)
}
