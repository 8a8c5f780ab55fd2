//! Sub-pipelines: `pipeline` nodes run one once, `supervisor` nodes until they are satisfied.
//!
//! A sub-pipeline walks in a frame of its own and shares the context of the node that calls it. What it is given
//! for its walk is `bind_inputs`'s to say.

use std::collections::BTreeMap;

use attractor_lang::condition::{Facts, evaluate, parse};
use attractor_model::{NodeKind, Pipeline};

use super::state::ShadowedKey;
use super::{Frame, FrameEnd, Phase, Task, Transition};
use crate::event::EventKind;
use crate::frame::FrameId;
use crate::outcome::{FailureClass, Outcome, Status};
use crate::plan::NodeRef;
use crate::transition::reasons;

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

impl Transition<'_> {
    /// Starts the sub-pipeline of a node.
    pub(super) fn call(&mut self, id: FrameId, frame: &Frame, node_ref: NodeRef<'_>) {
        let Some(name) = node_ref.called() else {
            self.look_once(id, frame, node_ref);
            return;
        };
        if self.depth(id) >= DEEPEST {
            self.refuse_call(id, reasons::too_deep(&frame.node, DEEPEST));
            return;
        }
        let Some(called) = self.plan.called(name) else {
            self.refuse_call(id, reasons::unknown_sub_pipeline(&frame.node, name));
            return;
        };
        let Some(call) = Call::of(called, 1) else {
            self.refuse_call(id, reasons::no_start(&called.name));
            return;
        };
        match self.bind_inputs(frame, node_ref, called) {
            Ok(shadowed) => {
                let deadline = self.deadline(id, frame, node_ref);
                self.run_child(id, call, shadowed, deadline);
            }
            Err(missing) => {
                self.refuse_call(id, reasons::missing_inputs(&frame.node, name, &missing));
            }
        }
    }

    /// A supervisor that starts nothing watches what others write. Nothing changes the context of this frame
    /// while it watches, so one look shows what `max_iterations` looks would.
    fn look_once(&mut self, id: FrameId, frame: &Frame, node_ref: NodeRef<'_>) {
        if node_ref.node.kind != NodeKind::Supervisor {
            self.refuse_call(id, reasons::no_sub_pipeline(&frame.node));
            return;
        }
        let outcome = if self.watched(frame, node_ref) {
            Outcome::success()
        } else {
            let reason = reasons::never_satisfied(&frame.node, iterations(node_ref), None);
            Outcome::fail(FailureClass::BudgetExhausted, reason)
        };
        self.finish(id, outcome);
    }

    /// Whether what a supervisor watches is done: its condition, else what `stack.child.status` says.
    fn watched(&self, frame: &Frame, node_ref: NodeRef<'_>) -> bool {
        let child = self.view(frame, node_ref).text("stack.child.status");
        let status = match child.as_deref() {
            Some("completed" | "success") => Status::Success,
            _ => Status::Fail,
        };
        self.is_satisfied(frame, node_ref, &status)
    }

    fn refuse_call(&mut self, id: FrameId, reason: String) {
        self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
    }

    fn run_child(
        &mut self,
        id: FrameId,
        call: Call,
        shadowed: BTreeMap<String, ShadowedKey>,
        deadline: Option<u64>,
    ) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Call {
            graph,
            start,
            iteration,
        } = call;
        let supervised = self
            .node_ref(&frame)
            .is_some_and(|node_ref| node_ref.node.kind == NodeKind::Supervisor);
        let contexts = &mut self.state.contexts;
        if supervised {
            contexts.set(frame.scope, "_supervisor_iteration", iteration);
        }
        contexts.set(frame.scope, "stack.child.status", "running");
        let child = self.open_frame(Some(id), Some(graph), frame.scope, frame.branch.clone());
        if let Some(walker) = self.frame(child).cloned() {
            self.new_walk(&walker);
        }
        if supervised {
            let called = self.frame(child).and_then(|child| child.graph.clone());
            let nodes = self
                .plan
                .graph(called.as_deref())
                .map_or(0, |called| called.nodes.len());
            self.emit(EventKind::ChildStarted {
                at: frame.node_attempt(),
                child: frame.child_run_name(iteration),
                pipeline: called.unwrap_or_default(),
                nodes: u32::try_from(nodes).unwrap_or(u32::MAX),
            });
        }
        if let Some(frame) = self.frame_mut(id) {
            frame.phase = Phase::Calling {
                child,
                iteration,
                shadowed,
                deadline,
            };
        }
        self.todo.push_back(Task::Enter {
            frame: child,
            node: start,
        });
    }

    /// The sub-pipeline has ended.
    pub(super) fn child_ended(&mut self, id: FrameId, child: FrameId, end: FrameEnd) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let Phase::Calling {
            iteration,
            shadowed,
            deadline,
            ..
        } = frame.phase.clone()
        else {
            return;
        };
        let Some(ended) = self.state.frames.remove(&child) else {
            return;
        };
        let (status, word) = match &end {
            FrameEnd::Done | FrameEnd::Arrived(_) => (Status::Success, "completed"),
            FrameEnd::Failed(_) => (Status::Fail, "failed"),
        };
        let contexts = &mut self.state.contexts;
        contexts.set(frame.scope, "stack.child.status", word);
        contexts.set(frame.scope, "stack.child.outcome", status.name());
        let failed = match end {
            FrameEnd::Failed(failure) => Some((failure.class, reasons::child_failed(&failure))),
            FrameEnd::Done | FrameEnd::Arrived(_) => None,
        };
        let supervised = node_ref.node.kind == NodeKind::Supervisor;
        if supervised {
            self.emit(EventKind::ChildCompleted {
                at: frame.node_attempt(),
                child: frame.child_run_name(iteration),
                status: status.clone(),
                reason: failed.as_ref().map(|(_, reason)| reason.clone()),
            });
        }
        let satisfied = supervised && self.is_satisfied(&frame, node_ref, &status);
        let most = iterations(node_ref);
        if supervised && !satisfied && iteration < most {
            let again = ended.graph.and_then(|graph| {
                let called = self.plan.graph(Some(&graph))?;
                Call::of(called, iteration + 1)
            });
            match again {
                Some(again) => self.run_child(id, again, shadowed, deadline),
                None => self.refuse_call(id, reasons::no_start(&frame.node)),
            }
            return;
        }
        let mut outcome = match (supervised, failed) {
            (false, None) => Outcome::success(),
            (false, Some((class, reason))) => Outcome::fail(class, reason),
            (true, _) if satisfied => Outcome::success(),
            (true, failed) => {
                let last = failed.as_ref().map(|(_, reason)| reason.as_str());
                let reason = reasons::never_satisfied(&frame.node, most, last);
                Outcome::fail(FailureClass::BudgetExhausted, reason)
            }
        };
        if supervised {
            outcome = outcome.with("_supervisor_iterations", iteration);
        }
        if satisfied {
            outcome.notes = reasons::iterations(iteration);
        }
        outcome.output = ended.output;
        self.restore_shadowed(&frame, shadowed);
        self.cancel_deadline(id);
        self.verify_postconditions(id, outcome);
    }

    /// Whether a supervisor is done: its condition, or else a successful sub-pipeline.
    fn is_satisfied(&self, frame: &Frame, node_ref: NodeRef<'_>, status: &Status) -> bool {
        let Some(text) = node_ref.written("done_condition") else {
            return status.is_success();
        };
        let (condition, errors) = parse(text);
        let view = self.whole_view(frame, node_ref);
        let facts = Facts {
            context: &view,
            status: status.clone(),
            retries_left: false,
            labels: &[],
        };
        errors.is_empty() && evaluate(&condition, &facts).value
    }

    fn depth(&self, id: FrameId) -> usize {
        std::iter::successors(self.frame(id), |frame| self.frame(frame.parent?)).count()
    }
}

/// How often a supervisor looks at most.
fn iterations(node_ref: NodeRef<'_>) -> u32 {
    node_ref.count("max_iterations").unwrap_or(5).max(1)
}
