//! What a run looks like now: a fold over its events.
//!
//! This fold is the only state of a run for display; give it the events of a journal or of
//! a live stream, in order, and it is current. It never reads the engine's own state.

mod child_runs;
mod node;
pub(crate) mod report;
pub(crate) mod resume;
mod trail;

use attractor_model::{NodeState, Reality, RunState};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::event::{Event, EventKind, NodeAttempt};
use crate::outcome::{Failure, FailureClass, Usage};
use crate::question::Question;

pub use child_runs::{events_of_child, split_child};
pub use node::NodeSnapshot;
pub use trail::{Trail, elapsed_ms};

/// A run as readers see it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct RunSnapshot {
    /// The run's id.
    pub run: String,
    /// The pipeline's name.
    pub pipeline: String,
    /// Its state.
    pub state: RunState,
    /// When it began, RFC 3339.
    pub started_at: String,
    /// When it ended, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// The node that was entered last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// How many different nodes of the pipeline are done.
    pub done: u32,
    /// How many nodes the pipeline has.
    pub total: u32,
    /// Nodes executed, repetitions counted.
    pub steps: u64,
    /// Milliseconds from its beginning to its end, without pauses between processes; absent before the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// What it cost.
    pub usage: Usage,
    /// Nodes by id; those of sub-pipelines as `GRAPH/NODE`.
    pub nodes: IndexMap<String, NodeSnapshot>,
    /// Open questions.
    pub questions: Vec<Question>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The last event that went in.
    pub last: u64,
    /// How real it is. See [`NodeSnapshot::simulated`] for one node.
    #[serde(default, alias = "simulated")]
    pub reality: Reality,
    /// The runs of the sub-pipelines of its supervisors, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub children: IndexMap<String, ChildSnapshot>,
    /// What only the status report shows.
    #[serde(default, skip_serializing_if = "Trail::is_empty")]
    pub trail: Trail,
}

/// The run of a sub-pipeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChildSnapshot {
    /// The branch it was called from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    /// The run, named `RUN/CHILD`.
    #[serde(flatten)]
    pub run: RunSnapshot,
}

impl RunSnapshot {
    /// The state after all of `events`, which are in order.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Event>) -> Self {
        let mut snapshot = Self::default();
        for event in events {
            snapshot.apply(event);
        }
        snapshot
    }

    /// Takes in the next event.
    pub fn apply(&mut self, event: &Event) {
        self.last = event.seq;
        if self.run.is_empty() {
            self.run.clone_from(&event.run);
            self.started_at.clone_from(&event.time);
        }
        let is_entered = self.trail.is_entered(&event.kind);
        self.trail.apply(event);
        self.apply_to_children(event);
        match &event.kind {
            EventKind::PipelineStarted {
                pipeline,
                nodes,
                reality,
                ..
            } => {
                // In older journals, the first event of a run with simulated models is marked.
                let marked = Reality::of_models(1, usize::from(event.simulated));
                self.reality = reality.unwrap_or(marked);
                self.pipeline.clone_from(pipeline);
                self.total = *nodes;
            }
            EventKind::PipelineCompleted { usage, .. } => {
                self.usage = *usage;
                self.end(RunState::Success, &event.time);
            }
            EventKind::PipelineFailed { failure, .. } => {
                self.failure = Some(self.placed(failure.clone()));
                self.end(RunState::Fail, &event.time);
            }
            EventKind::PipelineCancelled { .. } => self.end(RunState::Cancelled, &event.time),
            EventKind::PipelineInterrupted { .. } => self.end(RunState::Interrupted, &event.time),
            EventKind::Escalated { ends: true, .. } => self.end(RunState::Escalated, &event.time),
            EventKind::PipelineResumed { reality, .. } => {
                self.join(*reality);
                self.ended_at = None;
                self.duration_ms = None;
                self.failure = None;
                self.state = RunState::Running;
                self.shut_down();
            }
            EventKind::PipelinePaused { .. } => self.state = RunState::Paused,
            EventKind::PipelineContinued { .. } => {
                self.state = RunState::Running;
                self.shut_down();
            }
            EventKind::StageStarted { at, .. } => {
                if at.graph.is_none() {
                    self.current = Some(at.node.clone());
                }
                if is_entered {
                    self.steps += 1;
                }
                let node = self.node(at);
                node.state = NodeState::Running;
                node.visit = at.visit;
                node.attempt = at.attempt;
                node.attempts += 1;
                node.started_at = Some(event.time.clone());
                node.ended_at = None;
                node.tool = None;
                node.agent = None;
                node.plan = None;
                node.summary.clear();
            }
            EventKind::StageCompleted {
                at,
                status,
                summary,
                usage,
                duration_ms,
                model,
            } => {
                let simulated = event.kind.is_simulated();
                self.finish(at, status.into(), &event.time, summary, usage, simulated);
                self.node(at).spend(usage, *duration_ms, model.as_deref());
            }
            EventKind::StageFailed {
                at,
                reason,
                usage,
                duration_ms,
                model,
                ..
            } => {
                let simulated = event.kind.is_simulated();
                self.finish(at, NodeState::Fail, &event.time, reason, usage, simulated);
                self.node(at).spend(usage, *duration_ms, model.as_deref());
            }
            EventKind::StageRetrying { at, .. } => self.node(at).state = NodeState::Pending,
            EventKind::InterviewStarted { at, question } => {
                self.node(at).wait(&event.time);
                self.questions.retain(|open| open.id != question.id);
                self.questions.push(question.clone());
                self.shut_down();
            }
            EventKind::InterviewCompleted { at, question, .. }
            | EventKind::InterviewTimeout { at, question, .. }
            | EventKind::InterviewWithdrawn { at, question, .. } => {
                self.questions.retain(|open| open.id != *question);
                let asks = self.questions.iter().any(|open| open.node == at.node);
                self.node(at).state = if asks {
                    NodeState::Waiting
                } else {
                    NodeState::Running
                };
                self.shut_down();
            }
            EventKind::StageStopped { at, usage } => {
                let state = NodeState::Cancelled;
                self.finish(at, state, &event.time, "", usage, event.simulated);
                let node = self.node(at);
                let ran_ms = node.running_ms(&event.time);
                node.spend(usage, ran_ms, None);
            }
            EventKind::AgentProgress { at, progress } => {
                let node = self.node(at);
                node.summary = progress.summary();
                node.agent = Some(progress.clone());
            }
            EventKind::AgentPlan { at, plan } => self.node(at).plan = Some(plan.clone()),
            EventKind::AgentModelCall { at, call } => {
                let node = self.node(at);
                node.model = Some(call.model.clone());
                let agent = node.agent.get_or_insert_default();
                agent.turns += 1;
                agent.tokens = agent.tokens.saturating_add(call.usage.tokens());
                agent.cost += call.usage.cost;
            }
            // Its visit is counted again.
            EventKind::PipelineForked { reality, .. } => {
                self.join(*reality);
                self.state = RunState::Running;
                self.steps = self.steps.saturating_sub(1);
            }
            EventKind::AgentToolCallStart { at, call } => {
                self.node(at).tool = Some(call.tool_name.clone());
            }
            EventKind::StageOutput { .. }
            | EventKind::AgentToolCallEnd { .. }
            | EventKind::AgentToolHook { .. }
            | EventKind::AgentNotice { .. }
            | EventKind::StageRerun { .. }
            | EventKind::EdgeSelected { .. }
            | EventKind::Verification { .. }
            | EventKind::ParallelStarted { .. }
            | EventKind::ParallelBranchStarted { .. }
            | EventKind::ParallelBranchCompleted { .. }
            | EventKind::ParallelCompleted { .. }
            | EventKind::FilesMerged { .. }
            | EventKind::CheckpointSaved { .. }
            | EventKind::GoalGateUnmet { .. }
            | EventKind::ValidationWarning { .. }
            | EventKind::BudgetWarning { .. }
            | EventKind::Escalated { .. }
            | EventKind::StatusReport { .. }
            | EventKind::ChildStarted { .. }
            | EventKind::ChildCompleted { .. }
            | EventKind::ChildObserved { .. }
            | EventKind::SteeringInjected { .. }
            | EventKind::SteeringDeferred { .. }
            | EventKind::PausePointsSet { .. }
            | EventKind::ContextOverridden { .. }
            | EventKind::Expired { .. } => {}
        }
    }

    /// Keeps the runs of sub-pipelines current.
    fn apply_to_children(&mut self, event: &Event) {
        match &event.kind {
            EventKind::ChildStarted {
                at,
                child,
                pipeline,
                nodes,
            } if at.graph.is_none() => {
                let run = Self {
                    run: format!("{}/{child}", self.run),
                    pipeline: pipeline.clone(),
                    started_at: event.time.clone(),
                    total: *nodes,
                    reality: self.reality,
                    ..Self::default()
                };
                let branch = at.branch.clone();
                self.children
                    .insert(child.clone(), ChildSnapshot { branch, run });
            }
            EventKind::ChildCompleted {
                at,
                child,
                status,
                reason,
            } if at.graph.is_none() => {
                if let Some(child) = self.children.get_mut(child) {
                    child.run.failure = reason.clone().map(|reason| Failure {
                        node: None,
                        stopped: None,
                        reason,
                        class: FailureClass::Deterministic,
                    });
                    let is_good = status.is_success();
                    let state = if is_good {
                        RunState::Success
                    } else {
                        RunState::Fail
                    };
                    child.run.end(state, &event.time);
                }
            }
            kind => {
                let Some((graph, branch)) = kind.sub_pipeline() else {
                    return;
                };
                let open = self.children.values_mut().rev();
                let mut open = open.filter(|child| child.run.ended_at.is_none());
                let own = open
                    .find(|child| child.run.pipeline == graph && child.branch.as_deref() == branch);
                if let Some(child) = own {
                    child.run.apply(&Event {
                        kind: kind.in_sub_pipeline(),
                        ..event.clone()
                    });
                    return;
                }
                // In a sub-pipeline of a sub-pipeline.
                for child in self.children.values_mut() {
                    child.run.apply_to_children(event);
                }
            }
        }
    }

    /// The run continues as real as that; none where no model is asked any more.
    fn join(&mut self, reality: Option<Reality>) {
        self.reality = self.continued(reality);
    }

    /// How real the run is when it continues as real as `ahead`. Models that it has not asked until now do not count.
    pub fn continued(&self, ahead: Option<Reality>) -> Reality {
        let mut nodes = self.nodes.values();
        let has_asked = nodes.any(|node| node.model.is_some() || node.simulated);
        match ahead {
            None => self.reality,
            Some(ahead) if has_asked || self.reality == Reality::Dry => self.reality.joined(ahead),
            Some(ahead) => ahead,
        }
    }

    /// The nodes that count as done.
    pub fn counted(&self) -> Vec<String> {
        let counted = self.nodes.iter().filter(|(_, node)| node.counted);
        counted.map(|(id, _)| id.clone()).collect()
    }

    /// Counts these nodes as done; for a view that was stored.
    pub fn count(&mut self, done: &[String]) {
        for id in done {
            if let Some(node) = self.nodes.get_mut(id) {
                node.counted = true;
            }
        }
        for child in self.children.values_mut() {
            let nodes = child.run.nodes.iter();
            let done = nodes.filter(|(_, node)| node.ended_at.is_some() || node.visit > 1);
            let done: Vec<String> = done.map(|(id, _)| id.clone()).collect();
            child.run.count(&done);
        }
    }

    fn node(&mut self, at: &NodeAttempt) -> &mut NodeSnapshot {
        let id = match &at.graph {
            Some(graph) => format!("{graph}/{}", at.node),
            None => at.node.clone(),
        };
        self.nodes.entry(id).or_default()
    }

    fn finish(
        &mut self,
        at: &NodeAttempt,
        state: NodeState,
        time: &str,
        summary: &str,
        usage: &Usage,
        simulated: bool,
    ) {
        self.usage.add(usage);
        if simulated && self.reality == Reality::Real {
            self.reality = Reality::Mixed;
        }
        let node = self.node(at);
        node.state = state;
        node.simulated = simulated;
        node.ended_at = Some(time.to_owned());
        node.tool = None;
        node.agent = None;
        summary.clone_into(&mut node.summary);
        if !std::mem::replace(&mut node.counted, true) && at.graph.is_none() {
            self.done += 1;
        }
    }

    fn shut_down(&mut self) {
        if self.state == RunState::Paused {
            return;
        }
        self.state = if self.questions.is_empty() {
            RunState::Running
        } else {
            RunState::Waiting
        };
    }

    /// The process of the run is gone, which its journal does not say: nothing is under way any more.
    pub fn interrupt(&mut self) {
        self.state = RunState::Interrupted;
        self.questions.clear();
        for child in self.children.values_mut() {
            if !child.run.state.is_end() {
                child.run.interrupt();
            }
        }
        for node in self.nodes.values_mut() {
            if node.ended_at.is_none() {
                node.state = NodeState::Cancelled;
                node.tool = None;
                node.agent = None;
            }
        }
    }

    fn end(&mut self, state: RunState, time: &str) {
        self.state = state;
        self.ended_at = Some(time.to_owned());
        self.duration_ms = Some(self.trail.active_ms(&self.started_at, time));
        self.questions.clear();
        for child in self.children.values_mut() {
            if child.run.ended_at.is_none() {
                child.run.end(state, time);
            }
        }
        for node in self.nodes.values_mut() {
            if node.ended_at.is_none() {
                node.state = NodeState::Cancelled;
                let ran_ms = node.running_ms(time);
                node.spend(&Usage::default(), ran_ms, None);
                node.ended_at = Some(time.to_owned());
                node.tool = None;
                node.agent = None;
            }
        }
    }
}
