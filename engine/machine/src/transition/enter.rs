//! A frame enters a node: checks whether the node may run, and starts its work.

use attractor_model::{NodeKind, NodeWork};

use super::wait::Pause;
use super::{Effect, Frame, FrameEnd, Phase, Task, Transition};
use crate::context::text;
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket};
use crate::outcome::{Failure, FailureClass, Outcome, StopPlace};
use crate::plan::NodeRef;
use crate::question::ChangedFiles;
use crate::transition::reasons;

impl Transition<'_> {
    /// Goes to a node, unless branches meet there.
    pub(super) fn enter(&mut self, id: FrameId, node: &str) {
        let Some(frame) = self.frame(id) else { return };
        if frame.stops.contains(node) {
            self.todo.push_back(Task::Leave {
                frame: id,
                end: FrameEnd::Arrived(node.to_owned()),
            });
            return;
        }
        let key = frame.key(node);
        if self.plan.node_ref(frame.graph.as_deref(), node).is_none() {
            let graph = frame.graph.clone();
            self.fail_frame(
                id,
                FailureClass::Configuration,
                reasons::no_such_node(node, graph.as_deref()),
            );
            return;
        }
        if let Some(limit) = self.run_limit() {
            self.end_by_limit(StopPlace::Before(key), limit);
            return;
        }
        if let Some(limit) = self.visit_limit(id, node, &key) {
            let failure = Failure::at_limit(Some(StopPlace::Before(key)), limit);
            self.todo.push_back(Task::Leave {
                frame: id,
                end: FrameEnd::Failed(failure),
            });
            return;
        }
        self.state.steps += 1;
        let record = self.record(&key);
        record.visits += 1;
        record.status = None;
        let (visit, here) = (record.visits, record.visits_here());
        if let Some(frame) = self.frame_mut(id) {
            node.clone_into(&mut frame.node);
            frame.visit = visit;
            frame.result = None;
            frame.messages.clear();
            frame.unread.clear();
            frame.node_questions.clear();
            frame.attempt = frame.retries.get(node).copied().unwrap_or(0) + 1;
            frame.limited = 0;
        }
        self.on_entry(id, here);
        self.begin(id);
    }

    /// Context keys a node sets when it is entered for the `visit`-th time.
    fn on_entry(&mut self, id: FrameId, visit: u32) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let attributes = &node_ref.node.attributes;
        let own: Vec<(String, String)> = ["var.", "context."]
            .into_iter()
            .flat_map(|prefix| attributes.with_prefix(prefix))
            .map(|(name, attribute)| {
                let value = text::plain(self.view(&frame, node_ref), attribute.value());
                (name.to_owned(), value)
            })
            .collect();
        let contexts = &mut self.state.contexts;
        for (name, value) in own {
            contexts.set(
                frame.scope,
                name,
                attractor_lang::Value::read(&value).to_json(),
            );
        }
        contexts.set(frame.scope, "current_node", frame.node.as_str());
        contexts.set(frame.scope, "internal.node_visit_count", visit);
    }

    /// Begins an attempt of the node a frame is at.
    pub(super) fn begin(&mut self, id: FrameId) {
        let clock = self.state.clock;
        let step = self.new_step();
        let Some(frame) = self.frame_mut(id) else {
            return;
        };
        frame.since = clock;
        frame.phase = Phase::Executing { step };
        let frame = frame.clone();
        let Some(node_ref) = self.node_ref(&frame) else {
            return;
        };
        let deferred = if node_ref.node.kind.calls_model() {
            self.take_messages(id)
        } else {
            Vec::new()
        };
        let pause = self.pause_of(&frame, node_ref);
        let until = pause.as_ref().and_then(|pause| {
            let pause = pause.as_ref().ok()?;
            self.time_after(pause.millis)
        });
        let retries = frame.attempt.saturating_sub(1);
        self.state.contexts.set(frame.scope, "retries", retries);
        self.emit(EventKind::StageStarted {
            at: frame.node_attempt(),
            kind: node_ref.node.kind.name().to_owned(),
            label: node_ref.node.label().to_string(),
            until,
        });
        for message in deferred {
            self.injected(&frame, message);
        }
        let missing: Vec<String> = node_ref
            .node
            .attributes
            .list("requires")
            .into_iter()
            .filter(|key| self.view(&frame, node_ref).json(key).is_none())
            .collect();
        if !missing.is_empty() && !self.state.dry {
            let reason = reasons::missing_keys(&frame.node, &missing);
            self.finish(id, Outcome::fail(FailureClass::Configuration, reason));
            return;
        }
        let ticket = Ticket { frame: id, step };
        if !self.merges_first(id, ticket) {
            self.work(id, node_ref, ticket);
        }
    }

    /// Does the work of the node that a frame has begun.
    pub(super) fn work(&mut self, id: FrameId, node_ref: NodeRef<'_>, ticket: Ticket) {
        let Some(frame) = self.frame(id).cloned() else {
            return;
        };
        if self.state.scripted.contains(&frame.node) {
            self.out.push(Effect::Execute(ticket));
            return;
        }
        if let Some(pause) = self.pause_of(&frame, node_ref) {
            self.wait(ticket, pause);
            return;
        }
        match node_ref.node.kind.work() {
            NodeWork::Question if self.state.compares_files => {
                self.out.push(Effect::CompareFiles(ticket));
            }
            NodeWork::Question => self.ask_gate(id, &frame, node_ref, ChangedFiles::default()),
            NodeWork::Branches => self.split(id, &frame, node_ref),
            NodeWork::SubPipeline => self.call(id, &frame, node_ref),
            NodeWork::Escalation => self.escalate(id, &frame, node_ref),
            NodeWork::Model
            | NodeWork::Commands
            | NodeWork::Join
            | NodeWork::Time
            | NodeWork::Optional
            | NodeWork::Nothing => self.out.push(Effect::Execute(ticket)),
        }
    }

    /// How long the node of a frame waits, for nodes that do. In a dry run nothing takes time: its script only says what
    /// would be done.
    fn pause_of(&self, frame: &Frame, node_ref: NodeRef<'_>) -> Option<Result<Pause, String>> {
        let waits = node_ref.node.kind == NodeKind::Wait && !self.state.dry;
        waits.then(|| self.pause(frame, node_ref))
    }
}
