//! What a run looks like now: a fold over its events.
//!
//! This fold is the only state of a run for display; give it the events of a journal or of
//! a live stream, in order, and it is current. It never reads the engine's own state.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::event::{AgentProgress, Event, EventKind, NodeAttempt};
use crate::outcome::{Failure, FailureClass, Usage};
use crate::question::Question;
use crate::run_state::RunState;
use crate::trail::Trail;

/// The state of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeState {
    /// An attempt runs.
    #[default]
    Running,
    /// A person is asked.
    Waiting,
    /// The next attempt is due.
    Retrying,
    /// Done well.
    Succeeded,
    /// Failed.
    Failed,
    /// Not run to its end, because the run or its branch was stopped.
    Cancelled,
}

/// What is known of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub struct NodeSnapshot {
    /// Its state.
    pub state: NodeState,
    /// How often it has been entered.
    pub visit: u32,
    /// The attempt of that visit.
    pub attempt: u32,
    /// Attempts over all visits.
    #[serde(default)]
    pub attempts: u32,
    /// When the attempt began, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// When it ended, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// Tokens spent over all attempts.
    #[serde(default)]
    pub tokens: u64,
    /// USD spent over all attempts.
    #[serde(default)]
    pub cost: f64,
    /// A line for people: the summary, or the reason of the failure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Whether the model of its last attempt was simulated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The tool that its agent called last; none when it does not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// How far its agent is, while that works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentProgress>,
    /// Whether it has been done before.
    #[serde(skip)]
    counted: bool,
}

impl NodeSnapshot {
    /// Tokens over all attempts, those of an agent that works until now.
    pub fn tokens_so_far(&self) -> u64 {
        let working = self.agent.as_ref().map_or(0, |agent| agent.tokens);
        self.tokens.saturating_add(working)
    }

    /// USD over all attempts, those of an agent that works until now.
    pub fn cost_so_far(&self) -> f64 {
        self.cost + self.agent.as_ref().map_or(0.0, |agent| agent.cost)
    }
}

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
    /// Whether all models are simulated or the run is dry. See [`NodeSnapshot::simulated`] for one node.
    pub simulated: bool,
    /// The runs of the sub-pipelines of its supervisors, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub children: IndexMap<String, ChildSnapshot>,
    /// What only the status report shows.
    #[serde(default, skip_serializing_if = "Trail::is_empty")]
    pub(crate) trail: Trail,
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
        // Of a run whose models are all simulated, the first event says so.
        self.simulated |= event.simulated && event.seq == 1;
        self.trail.apply(event);
        self.apply_to_children(event);
        match &event.kind {
            EventKind::PipelineStarted {
                pipeline, nodes, ..
            } => {
                self.pipeline.clone_from(pipeline);
                self.total = *nodes;
            }
            EventKind::PipelineCompleted { usage, .. } => {
                self.usage = *usage;
                self.end(RunState::Succeeded, &event.time);
            }
            EventKind::PipelineFailed { failure, .. } => {
                self.failure = Some(failure.clone());
                self.end(RunState::Failed, &event.time);
            }
            EventKind::PipelineCancelled { .. } => self.end(RunState::Cancelled, &event.time),
            EventKind::PipelineInterrupted { .. } => self.end(RunState::Interrupted, &event.time),
            EventKind::Escalated { ends: true, .. } => self.end(RunState::Escalated, &event.time),
            EventKind::PipelineResumed { .. } => {
                self.ended_at = None;
                self.state = RunState::Running;
                self.shut_down();
            }
            EventKind::StageStarted { at, .. } => {
                if at.graph.is_none() {
                    self.current = Some(at.node.clone());
                }
                if at.attempt == 1 {
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
                node.summary.clear();
            }
            EventKind::StageCompleted {
                at, summary, usage, ..
            } => {
                self.finish(
                    at,
                    NodeState::Succeeded,
                    &event.time,
                    summary,
                    usage,
                    event.kind.is_simulated(),
                );
            }
            EventKind::StageFailed {
                at, reason, usage, ..
            } => {
                self.finish(
                    at,
                    NodeState::Failed,
                    &event.time,
                    reason,
                    usage,
                    event.kind.is_simulated(),
                );
            }
            EventKind::StageRetrying { at, .. } => self.node(at).state = NodeState::Retrying,
            EventKind::InterviewStarted { at, question } => {
                self.node(at).state = NodeState::Waiting;
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
            }
            EventKind::AgentProgress { at, progress } => {
                let node = self.node(at);
                node.summary = progress.summary();
                node.agent = Some(progress.clone());
            }
            EventKind::AgentModelCall { at, call } => {
                let agent = self.node(at).agent.get_or_insert_default();
                agent.turns += 1;
                agent.tokens = agent.tokens.saturating_add(call.usage.tokens());
                agent.cost += call.usage.cost;
            }
            // Its visit is counted again.
            EventKind::PipelineForked { .. } => self.steps = self.steps.saturating_sub(1),
            EventKind::AgentToolCallStart { at, tool_name, .. } => {
                self.node(at).tool = Some(tool_name.clone());
            }
            EventKind::StageOutput { .. }
            | EventKind::AgentToolCallEnd { .. }
            | EventKind::AgentToolHook { .. }
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
            | EventKind::BudgetWarning { .. }
            | EventKind::Escalated { .. }
            | EventKind::StatusReport { .. }
            | EventKind::ChildStarted { .. }
            | EventKind::ChildCompleted { .. }
            | EventKind::ChildObserved { .. }
            | EventKind::SteeringInjected { .. }
            | EventKind::SteeringDeferred { .. }
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
                    simulated: self.simulated,
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
                        reason,
                        class: FailureClass::Deterministic,
                    });
                    let is_good = status.is_success();
                    let state = if is_good {
                        RunState::Succeeded
                    } else {
                        RunState::Failed
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

    /// The nodes that count as done.
    pub(crate) fn counted(&self) -> Vec<String> {
        let counted = self.nodes.iter().filter(|(_, node)| node.counted);
        counted.map(|(id, _)| id.clone()).collect()
    }

    /// Counts these nodes as done; for a view that was stored.
    pub(crate) fn count(&mut self, done: &[String]) {
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
        let node = self.node(at);
        node.state = state;
        node.simulated = simulated;
        node.ended_at = Some(time.to_owned());
        node.tool = None;
        node.agent = None;
        summary.clone_into(&mut node.summary);
        node.tokens = node.tokens.saturating_add(usage.tokens());
        node.cost += usage.cost;
        if !std::mem::replace(&mut node.counted, true) && at.graph.is_none() {
            self.done += 1;
        }
    }

    fn shut_down(&mut self) {
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
        self.questions.clear();
        for child in self.children.values_mut() {
            if child.run.ended_at.is_none() {
                child.run.end(state, time);
            }
        }
        for node in self.nodes.values_mut() {
            if node.ended_at.is_none() {
                node.state = NodeState::Cancelled;
                node.ended_at = Some(time.to_owned());
                node.tool = None;
                node.agent = None;
            }
        }
    }
}
