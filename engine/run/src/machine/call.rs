//! Sub-pipelines: `pipeline` nodes run one once, `supervisor` nodes until they are satisfied.
//!
//! A sub-pipeline walks in a lane of its own and shares the context of the node that calls it.

use attractor_model::NodeKind;
use attractor_model::lang::condition::{Facts, evaluate, parse};
use serde_json::Value;

use super::plan::Site;
use super::{Lane, LaneEnd, LaneId, Phase, Task, Turn};
use crate::outcome::{FailureClass, Outcome, Status};
use crate::wording;

/// How deep sub-pipelines may call each other.
const DEEPEST: usize = 16;

impl Turn<'_> {
    /// Starts the sub-pipeline of a node.
    pub(super) fn call(&mut self, id: LaneId, lane: &Lane, site: Site<'_>) {
        let written = site
            .written("sub_pipeline")
            .or_else(|| site.inherited("stack.child_dotfile"));
        let Some(name) = written.map(str::trim) else {
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
        let graph = called.name.clone();
        for pair in site.node.attributes.list("inputs") {
            if let Some((name, key)) = pair.split_once('=')
                && let Some(value) = self.copied(lane, site, key.trim())
            {
                self.state.contexts.set(lane.scope, name.trim(), value);
            }
        }
        self.run_child(id, graph, 1);
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
            let reason = wording::never_satisfied(&lane.node, iterations(site));
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

    /// The value of a key, to be set under another one: a large one stays where it is.
    fn copied(&self, lane: &Lane, site: Site<'_>, key: &str) -> Option<Value> {
        let view = self.view(lane, site);
        view.stored(key).cloned().or_else(|| view.json(key))
    }

    fn refuse_call(&mut self, id: LaneId, reason: String) {
        self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
    }

    fn run_child(&mut self, id: LaneId, graph: String, iteration: u32) {
        let Some(lane) = self.lane(id).cloned() else {
            return;
        };
        let Some(start) = self
            .plan
            .graph(Some(&graph))
            .and_then(|pipeline| Some(pipeline.id(pipeline.start?).to_owned()))
        else {
            self.refuse_call(id, wording::no_start(&graph));
            return;
        };
        let prefix = format!("{graph}/");
        self.state.nodes.retain(|key, _| !key.starts_with(&prefix));
        let contexts = &mut self.state.contexts;
        contexts.set(lane.scope, "_supervisor_iteration", iteration);
        contexts.set(lane.scope, "stack.child.status", "running");
        let child = self.open_lane(Some(id), Some(graph), lane.scope, lane.branch.clone());
        if let Some(lane) = self.lane_mut(id) {
            lane.phase = Phase::Calling { child, iteration };
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
        let Phase::Calling { iteration, .. } = lane.phase else {
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
        let outcome = match end {
            LaneEnd::Failed(failure) => Outcome {
                output: ended.output,
                ..Outcome::fail(failure.class, wording::child_failed(&failure))
            },
            _ => Outcome {
                output: ended.output,
                ..Outcome::default()
            },
        };
        if site.node.kind != NodeKind::Supervisor {
            self.finish(id, outcome);
            return;
        }
        let most = iterations(site);
        if self.is_satisfied(&lane, site, &status) {
            let mut outcome = Outcome::success().with("_supervisor_iterations", iteration);
            outcome.notes = wording::iterations(iteration);
            outcome.output = self.view(&lane, site).json("outcome").unwrap_or_default();
            self.finish(id, outcome);
        } else if iteration >= most {
            let reason = wording::never_satisfied(&lane.node, most);
            let outcome = Outcome::fail(FailureClass::BudgetExhausted, reason)
                .with("_supervisor_iterations", iteration);
            self.finish(id, outcome);
        } else {
            let graph = ended.graph.unwrap_or_default();
            self.run_child(id, graph, iteration + 1);
        }
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
