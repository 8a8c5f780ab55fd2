//! A run begins, or continues in another process.

use attractor_model::Reality;

use super::{Begin, Effect, End, Frame, NodeRecord, Pausing, Phase, State, Task, Transition};
use crate::context::{Contexts, ROOT};
use crate::event::EventKind;
use crate::frame::{FrameId, Ticket};
use crate::outcome::{FailureClass, Status};

impl Transition<'_> {
    pub(super) fn start(&mut self, begin: Begin) {
        if !self.state.run.is_empty() {
            return;
        }
        let pipeline = self.plan.root();
        // What another run did counts as done, and as no visit of this one.
        let before = |node: &String| {
            let record = NodeRecord {
                status: Some(Status::Success),
                ..NodeRecord::default()
            };
            (node.clone(), record)
        };
        self.state = State {
            nodes: begin.completed.iter().map(before).collect(),
            run: begin.run,
            limits: begin.limits,
            clock: self.state.clock,
            now: self.state.now,
            contexts: Contexts::new(begin.context),
            path: begin.completed.clone(),
            completed: begin.completed,
            scripted: begin.scripted,
            dry: begin.dry,
            compares_files: begin.compares_files,
            pausing: Pausing {
                points: begin.points,
                ..Pausing::default()
            },
            ..State::default()
        };
        let goal = pipeline.attributes.text("goal").unwrap_or_default();
        let goal = crate::context::text::plain(self.state.contexts.view(ROOT, pipeline), goal);
        if !goal.is_empty() {
            self.state.contexts.give("graph.goal", goal.as_str());
        }
        let run = self.state.run.clone();
        self.state.contexts.give("internal.run_id", run);
        let start = match &begin.from {
            Some(id) => pipeline.by_id(id),
            None => pipeline.start,
        };
        let start = start.map(|ix| pipeline.id(ix).to_owned());
        self.emit(EventKind::PipelineStarted {
            pipeline: pipeline.name.clone(),
            goal,
            nodes: u32::try_from(pipeline.nodes.len()).unwrap_or(u32::MAX),
            start: start.clone().unwrap_or_default(),
            label: pipeline
                .attributes
                .text("label")
                .unwrap_or_default()
                .to_owned(),
            stale_after_turns: self.stale_after_turns(),
            sandbox: begin.sandbox,
            reality: begin.reality,
        });
        for warning in begin.warnings {
            self.emit(EventKind::ValidationWarning {
                message: warning.message,
                rule: warning.rule,
                line: warning.line,
            });
        }
        match start {
            Some(node) => {
                let frame = self.open_frame(None, None, ROOT, None);
                if begin.after {
                    self.continue_after(frame, &node);
                } else {
                    self.todo.push_back(Task::Enter { frame, node });
                }
            }
            None => self.end_run(End::failed(
                None,
                FailureClass::Configuration,
                crate::transition::reasons::no_start(&pipeline.name),
            )),
        }
    }

    /// Another process continues: with what was under way when the last one died, or with what was left
    /// when the run failed or was stopped. What is complete stays so. The run had paused at `passed`.
    pub(super) fn resumed(&mut self, reality: Option<Reality>, passed: Option<FrameId>) {
        let ended = self.state.end.take();
        let ended = ended.map(|end| {
            self.state.frames = end.frames;
            end.status
        });
        let frames: Vec<(FrameId, Frame)> = self
            .state
            .frames
            .iter()
            .map(|(id, frame)| (*id, frame.clone()))
            .collect();
        let unknown = frames
            .iter()
            .filter(|(_, frame)| matches!(frame.phase, Phase::Executing { .. }))
            .filter(|(_, frame)| frame.unchecked.is_none());
        self.emit(EventKind::PipelineResumed {
            unknown: unknown.map(|(_, frame)| frame.node_attempt()).collect(),
            reality,
        });
        if !self.state.unneeded.is_empty() {
            let unneeded = self.state.unneeded.iter().cloned().collect();
            self.out.push(Effect::RemoveWorktrees(unneeded));
        }
        for (id, frame) in frames {
            if self.check(id) || self.merge_in_split(id) {
                continue;
            }
            let alone = !self
                .state
                .frames
                .values()
                .any(|other| other.parent == Some(id));
            match frame.phase.clone() {
                Phase::Executing { .. } => self.take_up_again(id, &frame),
                Phase::Split { .. } | Phase::Calling { .. } if alone => self.begin(id),
                Phase::Split { .. } | Phase::Calling { .. } => self.rearm_deadline(id, &frame),
                Phase::Backoff { step, timer } | Phase::Waiting { step, timer, .. } => {
                    let delay = self.left(timer);
                    let ticket = Ticket { frame: id, step };
                    self.out.push(Effect::Wait { ticket, delay });
                }
                Phase::Asking { step, .. } => {
                    if let Some(end) = ended {
                        self.ask_again(id, &frame, end);
                    }
                    self.out.push(Effect::Ask(Ticket { frame: id, step }));
                }
                Phase::Held { .. } => {}
            }
        }
        self.release(passed);
    }
}
