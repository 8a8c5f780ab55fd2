//! What happens in the run: output, stops, the end.

use attractor_machine::context::text::plain;
use attractor_machine::transition::State;
use attractor_run::{Event, EventKind, PauseReason, RunState, Stream, TranscriptEntry, node_point};
use serde_json::json;

use super::Session;
use crate::conditions::holds;
use crate::debuggee::Moment;
use crate::places::Place;
use crate::protocol::Stopped;
use crate::stack::{MAIN, thread_of};

impl Session {
    /// The run has these events more, which its history has taken in.
    pub(crate) fn happened(&mut self, events: &[Event]) {
        let Some(debuggee) = &mut self.debuggee else {
            return;
        };
        let known = debuggee.visits().len();
        debuggee.scan();
        self.print_messages(known);
        let mut detail = None;
        for event in events {
            self.print(event);
            match &event.kind {
                EventKind::PipelinePaused { detail: text, .. } => detail.clone_from(text),
                EventKind::PipelineContinued { .. } => {
                    let is_own = std::mem::take(&mut self.continues);
                    if std::mem::take(&mut self.is_stopped) && !is_own {
                        self.references.clear();
                        let body = json!({ "threadId": MAIN, "allThreadsContinued": true });
                        self.event("continued", body);
                    }
                }
                EventKind::ContextOverridden { next, .. } => self.overridden(next.is_some()),
                EventKind::InterviewStarted { question, .. } => {
                    let choices = question.options.iter().map(|option| option.label.as_str());
                    let choices: Vec<&str> = choices.collect();
                    self.note(&format!(
                        "{} asks: {} {}: answer with `answer TEXT` here, or wherever the run is shown",
                        question.node,
                        question.text,
                        choices.join(" / ")
                    ));
                }
                kind if kind.is_end() => return self.ended(kind),
                _ => {}
            }
        }
        let is_paused = |run: &crate::debuggee::Debuggee| run.history.state().is_paused();
        if !self.is_stopped && self.start.is_none() && self.debuggee.as_ref().is_some_and(is_paused)
        {
            self.stop_with(detail);
        }
    }

    /// The client learns that the run is paused.
    pub(super) fn stop_paused(&mut self) {
        self.stop_with(None);
    }

    fn stop_with(&mut self, detail: Option<String>) {
        self.is_stopped = true;
        self.references.clear();
        let Some(debuggee) = &mut self.debuggee else {
            return;
        };
        debuggee.show(Moment::Now);
        let Some(paused) = debuggee.state().pausing.paused.clone() else {
            return;
        };
        let place = paused.frame.and_then(|id| {
            let frame = debuggee.frame(id)?;
            let node = crate::debuggee::node_of(frame);
            Some(Place::Node(node_point(frame.graph.as_deref(), node)))
        });
        let thread_id = paused.frame.map_or(MAIN, |id| thread_of(debuggee, id));
        let (reason, description) = match paused.reason {
            PauseReason::Request => ("pause", "paused"),
            PauseReason::Entry => ("entry", "paused on entry"),
            PauseReason::Step => ("step", "step"),
            PauseReason::Node => ("breakpoint", "paused before the node"),
            PauseReason::Edge => ("breakpoint", "the edge was taken"),
            PauseReason::Key => ("data breakpoint", "a key of the context was set"),
            PauseReason::Failure => ("exception", "a node has failed"),
            PauseReason::Retry => ("exception", "an attempt has failed"),
        };
        let hit = place.filter(|_| paused.reason == PauseReason::Node);
        let stopped = Stopped {
            reason,
            description: Some(description.to_owned()),
            text: detail,
            thread_id,
            all_threads_stopped: true,
            hit_breakpoint_ids: hit.map(|place| self.hit_ids(&place)).unwrap_or_default(),
        };
        self.event("stopped", stopped);
    }

    /// A run that has ended is shown at its end.
    pub(super) fn stop_at_end(&mut self) {
        self.is_stopped = true;
        let state = self.debuggee.as_ref().map(|run| run.history.state());
        let end = state.and_then(|state| state.end.as_ref());
        let failure = end.and_then(|end| end.failure.as_ref());
        let is_failed = end.is_some_and(|end| end.status == RunState::Fail);
        let name = end.map_or("interrupted", |end| end.status.name());
        let stopped = Stopped {
            reason: if is_failed { "exception" } else { "pause" },
            description: Some(format!("the run has ended: {name}")),
            text: failure.map(ToString::to_string),
            thread_id: MAIN,
            all_threads_stopped: true,
            ..Stopped::default()
        };
        self.event("stopped", stopped);
    }

    fn overridden(&mut self, is_other_node: bool) {
        self.references.clear();
        if let Some(debuggee) = &mut self.debuggee
            && debuggee.moment() == Moment::Now
        {
            debuggee.show(Moment::Now);
        }
        if is_other_node {
            let stopped = Stopped {
                reason: "goto",
                thread_id: MAIN,
                all_threads_stopped: true,
                ..Stopped::default()
            };
            self.event("stopped", stopped);
        }
    }

    fn ended(&mut self, kind: &EventKind) {
        let Some(debuggee) = &mut self.debuggee else {
            return;
        };
        debuggee.is_live = false;
        debuggee.show(Moment::Now);
        let state: &State = debuggee.state();
        let status = state.end.as_ref().map(|end| end.status);
        let is_failed = matches!(kind, EventKind::PipelineFailed { .. });
        if is_failed && self.breakpoints.stops_at_failed_run() && !self.is_terminated {
            self.stop_at_end();
            return;
        }
        let code = match status {
            Some(RunState::Success) => 0,
            Some(RunState::Escalated) => 3,
            Some(RunState::Cancelled | RunState::Interrupted) => 130,
            _ => 1,
        };
        self.event("exited", json!({ "exitCode": code }));
        self.end_of_debuggee();
    }

    /// What the transcript of the run says of an event.
    fn print(&mut self, event: &Event) {
        if let EventKind::StageOutput { stream, text, .. } = &event.kind {
            let category = match stream {
                Stream::Stderr => "stderr",
                _ => "stdout",
            };
            self.event("output", json!({ "category": category, "output": text }));
            return;
        }
        let Some(entry) = TranscriptEntry::of(&event.kind) else {
            return;
        };
        let node = entry.node.as_deref().unwrap_or_default();
        let line = [entry.glyph.to_string(), node.to_owned(), entry.text.clone()];
        let line = line.iter().filter(|part| !part.is_empty());
        let line: Vec<&str> = line.map(String::as_str).collect();
        self.note(&line.join(" "));
    }

    /// Prints the messages of log points at visits that have begun.
    fn print_messages(&mut self, known: usize) {
        if !self.breakpoints.has_messages() {
            return;
        }
        let Some(debuggee) = &self.debuggee else {
            return;
        };
        let mut lines = Vec::new();
        for visit in debuggee.visits().iter().skip(known) {
            let graph = visit.at.graph.as_deref();
            let place = Place::Node(node_point(graph, &visit.at.node));
            let mut messages = self.breakpoints.messages(&place).peekable();
            if messages.peek().is_none() {
                continue;
            }
            let state = debuggee.history.state_after(visit.steps);
            let mut frames = state.frames.values();
            let frame = frames.find(|frame| frame.node_attempt() == visit.at);
            let plan = debuggee.history.plan();
            let pipeline = match graph {
                None => Some(plan.root()),
                Some(graph) => plan.called(graph),
            };
            let (Some(frame), Some(pipeline)) = (frame, pipeline) else {
                continue;
            };
            let view = state.contexts.view(frame.scope, pipeline);
            let due = messages.filter(|(_, point)| holds(view, point, visit.at.visit));
            lines.extend(due.map(|(text, _)| plain(view, text)));
        }
        for line in lines {
            self.note(&line);
        }
    }
}
