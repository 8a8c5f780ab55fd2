//! Requests that let the run continue, or show another moment of it.

use attractor_machine::frame::FrameId;
use attractor_machine::transition::Phase;
use attractor_run::{PauseRequest, StepDepth, StepFrom, node_point};
use serde_json::{Value, json};

use super::breakpoints::path_of;
use super::{Effect, Handled, Session, body, by, pending};
use crate::debuggee::Moment;
use crate::host::Restart;
use crate::places::Place;
use crate::protocol::{
    FrameArguments, GotoArguments, GotoTargetsArguments, Request, Stopped, ThreadArguments,
};
use crate::stack::{self, MAIN, frame_id};
use crate::time_travel::{self, Direction};

impl Session {
    pub(super) fn proceed(&mut self, request: &Request) -> Handled {
        let debuggee = self.debuggee()?;
        if debuggee.moment() != Moment::Now {
            let nodes = self.breakpoints.points().nodes;
            let is_point = |point: &str| nodes.contains_key(point);
            let moment = time_travel::run_to(debuggee, Direction::Forward, is_point);
            // The end of what is known is not a breakpoint.
            let reason = match moment {
                Moment::Now => "pause",
                Moment::Past(_) => "breakpoint",
            };
            self.respond(&pending(request, json!({ "allThreadsContinued": true })));
            self.travel_to(moment, reason);
            return Ok(None);
        }
        self.continue_run(request, None)
    }

    pub(super) fn step(&mut self, request: &Request, arguments: &ThreadArguments) -> Handled {
        let debuggee = self.debuggee()?;
        let thread = arguments.thread_id;
        if debuggee.moment() != Moment::Now {
            let branch = self.branch_of(thread);
            let moment = time_travel::step(debuggee, Direction::Forward, branch.as_deref());
            self.respond(&pending(request, Value::Null));
            self.travel_to(moment, "step");
            return Ok(None);
        }
        let depth = match request.command.as_str() {
            "stepIn" => StepDepth::Into,
            "stepOut" => StepDepth::Out,
            _ => StepDepth::Over,
        };
        let frame = stack::top(debuggee, thread);
        let step = frame.map(|frame| StepFrom { frame, depth });
        self.continue_run(request, step)
    }

    fn continue_run(&mut self, request: &Request, step: Option<StepFrom>) -> Handled {
        let debuggee = self.debuggee()?;
        let answer = match request.command.as_str() {
            "continue" => json!({ "allThreadsContinued": true }),
            _ => Value::Null,
        };
        let answer = pending(request, answer);
        if !debuggee.is_live {
            self.respond(&answer);
            self.end_of_debuggee();
            return Ok(None);
        }
        self.changeable()?;
        self.references.clear();
        self.continues = true;
        let request = PauseRequest::Continue { step, by: by() };
        self.effects.push(Effect::Ask(request, Some(answer)));
        Ok(None)
    }

    pub(super) fn pause(&mut self, request: &Request) -> Handled {
        let debuggee = self.debuggee()?;
        if !debuggee.is_live || debuggee.history.state().is_paused() {
            return Ok(Some(Value::Null));
        }
        let answer = pending(request, Value::Null);
        let request = PauseRequest::Pause { by: by() };
        self.effects.push(Effect::Ask(request, Some(answer)));
        Ok(None)
    }

    pub(super) fn step_back(&mut self, arguments: &ThreadArguments) -> Handled {
        let debuggee = self.still()?;
        let branch = self.branch_of(arguments.thread_id);
        let moment = time_travel::step(debuggee, Direction::Back, branch.as_deref());
        self.travel_after_answer(moment)
    }

    pub(super) fn reverse_continue(&mut self) -> Handled {
        let debuggee = self.still()?;
        let nodes = self.breakpoints.points().nodes;
        let is_point = |point: &str| nodes.contains_key(point);
        let moment = time_travel::run_to(debuggee, Direction::Back, is_point);
        self.travel_after_answer(moment)
    }

    /// Shows a moment before the answer under way; the client is notified after it.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "what handles a request has one type"
    )]
    pub(super) fn travel_after_answer(&mut self, moment: Moment) -> Handled {
        self.show(moment);
        let stopped = self.stopped_at_moment("step");
        self.after = serde_json::to_value(stopped)
            .ok()
            .map(|body| ("stopped", body));
        Ok(Some(Value::Null))
    }

    /// Shows a moment of the past, or the present.
    fn travel_to(&mut self, moment: Moment, reason: &'static str) {
        self.show(moment);
        let stopped = self.stopped_at_moment(reason);
        self.event("stopped", stopped);
    }

    fn show(&mut self, moment: Moment) {
        self.references.clear();
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.show(moment);
        }
    }

    fn stopped_at_moment(&self, reason: &'static str) -> Stopped {
        let debuggee = self.debuggee.as_ref();
        let (description, thread) = debuggee.map_or_else(
            || (String::new(), MAIN),
            |debuggee| match debuggee.moment() {
                Moment::Now => ("the present".to_owned(), MAIN),
                Moment::Past(index) => {
                    let at = debuggee.visits().get(index).map(|visit| &visit.at);
                    let frames = debuggee.frames().iter();
                    let mut own = frames.filter(|(_, frame)| {
                        at.is_some_and(|at| frame.node == at.node && frame.branch == at.branch)
                    });
                    let thread = own.next().map(|(id, _)| stack::thread_of(debuggee, *id));
                    let (seen, all) = (index + 1, debuggee.visits().len());
                    let text = format!("the past: visit {seen} of {all}; nothing is executed");
                    (text, thread.unwrap_or(MAIN))
                }
            },
        );
        Stopped {
            reason,
            description: Some(description),
            thread_id: thread,
            all_threads_stopped: true,
            ..Stopped::default()
        }
    }

    /// The run, if it is paused or has ended.
    fn still(&self) -> Result<&crate::debuggee::Debuggee, String> {
        let debuggee = self.debuggee()?;
        let is_still = !debuggee.is_live || debuggee.history.state().is_paused();
        is_still
            .then_some(debuggee)
            .ok_or_else(|| "the run is not paused".to_owned())
    }

    /// The branch of a thread; none for the main line.
    fn branch_of(&self, thread: i64) -> Option<String> {
        let debuggee = self.debuggee.as_ref()?;
        debuggee.frame(frame_id(thread)?)?.branch.clone()
    }

    pub(super) fn restart_frame(&mut self, arguments: &FrameArguments) -> Handled {
        let id = frame_id(arguments.frame_id).ok_or("unknown frame")?;
        let restart = self.restart_of(id)?;
        self.effects.push(Effect::Restart(restart));
        Ok(Some(Value::Null))
    }

    /// The visit that a frame is at, as one that begins again.
    pub(super) fn restart_of(&self, id: FrameId) -> Result<Restart, String> {
        let debuggee = self.still()?;
        let frame = debuggee.frame(id).ok_or("unknown frame")?;
        if let Some(branch) = &frame.branch {
            return Err(format!(
                "`{}` is in the branch `{branch}`; restart the node that opened it",
                frame.node
            ));
        }
        if matches!(frame.phase, Phase::Held { again: false, .. }) {
            return Err("the node has not begun; step back to one that has".to_owned());
        }
        let mut points = self.breakpoints.points();
        points.entry = true;
        Ok(Restart {
            run: debuggee.directory.clone(),
            node: node_point(frame.graph.as_deref(), &frame.node),
            visit: frame.visit,
            files: self.restart_files,
            points,
        })
    }

    pub(super) fn goto_targets(&mut self, arguments: &GotoTargetsArguments) -> Handled {
        let path = path_of(&arguments.source)?;
        let line = self.format.read_line(arguments.line).unwrap_or(u32::MAX);
        let places = self.places(&path);
        let on_line = places.iter().flat_map(|places| places.on_lines(line, line));
        let nodes = on_line.filter(|one| matches!(one.place, Place::Node(_)));
        self.goto_targets = nodes
            .map(|one| (one.graph.clone(), one.node.clone()))
            .collect();
        let targets = self.goto_targets.iter().enumerate();
        let targets: Vec<Value> = targets
            .map(|(index, (_, node))| {
                json!({ "id": index + 1, "label": format!("continue at {node}"), "line": arguments.line })
            })
            .collect();
        body(json!({ "targets": targets }))
    }

    pub(super) fn goto(&mut self, request: &Request, arguments: &GotoArguments) -> Handled {
        let debuggee = self.changeable()?;
        let index = arguments.target_id.checked_sub(1);
        let index = index.and_then(|index| usize::try_from(index).ok());
        let target = index.and_then(|index| self.goto_targets.get(index));
        let (graph, node) = target.ok_or("unknown target")?;
        let id = stack::top(debuggee, arguments.thread_id).ok_or("unknown thread")?;
        let frame = debuggee.frame(id).ok_or("unknown frame")?;
        if frame.graph != *graph || !matches!(frame.phase, Phase::Held { again: false, .. }) {
            return Err(format!(
                "the branch is not held in the pipeline of `{node}`; pause before a node of it first"
            ));
        }
        let order = PauseRequest::Override {
            frame: id,
            set: std::collections::BTreeMap::default(),
            next: Some(node.clone()),
            by: by(),
        };
        let answer = pending(request, Value::Null);
        self.effects.push(Effect::Ask(order, Some(answer)));
        Ok(None)
    }
}
