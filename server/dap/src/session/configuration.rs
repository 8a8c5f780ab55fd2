//! The beginning and the end of a session: `initialize`, `launch`, `attach`, `configurationDone`, `disconnect`.

#![expect(
    clippy::unnecessary_wraps,
    reason = "what handles a request has one type"
)]

use std::path::PathBuf;

use attractor_run::{Event, EventKind, History, PausePoints, PauseRequest, owner_of};
use serde_json::{Value, json};

use super::{Effect, Handled, Pending, Session, Start, by, pending, read};
use crate::client_format::ClientFormat;
use crate::debuggee::{Debuggee, Moment};
use crate::protocol::{
    AttachArguments, DisconnectArguments, InitializeArguments, LaunchArguments, Request, Stopped,
    capabilities,
};
use crate::stack::MAIN;

impl Session {
    pub(super) fn initialize(&mut self, arguments: &InitializeArguments) -> Handled {
        self.format = ClientFormat::of(arguments);
        Ok(Some(capabilities()))
    }

    /// The answer follows when the run has begun, after the breakpoints are known.
    pub(super) fn launch(&mut self, request: &Request) -> Handled {
        let mut arguments: LaunchArguments = read(request)?;
        if arguments.program.trim().is_empty() {
            return Err("`program` is missing: the path of a pipeline file".to_owned());
        }
        let path = std::path::absolute(&arguments.program);
        if let Ok(path) = path {
            arguments.program = path.display().to_string();
        }
        self.restart_files = arguments.restart_files;
        self.is_launched = true;
        let start = Start::Launch(Box::new(arguments));
        self.start = Some((start, pending(request, Value::Null)));
        self.event("initialized", json!({}));
        Ok(None)
    }

    /// Sets the name of the pipeline that a launch runs: frames of others name theirs.
    pub(crate) fn set_root(&mut self, root: Option<String>) {
        self.root = root;
    }

    /// The launch that waits for breakpoints.
    pub(crate) fn launch_arguments(&self) -> Option<&LaunchArguments> {
        match &self.start {
            Some((Start::Launch(arguments), _)) => Some(arguments),
            _ => None,
        }
    }

    /// What a message attaches to, if it is a request to attach.
    pub(crate) fn attaching(
        &self,
        message: &Value,
    ) -> Option<(Pending, Result<AttachArguments, String>)> {
        let request: Request = serde_json::from_value(message.clone()).ok()?;
        if request.command != "attach" || self.debuggee.is_some() || self.start.is_some() {
            return None;
        }
        Some((pending(&request, Value::Null), read(&request)))
    }

    /// The run to attach to has been read.
    pub(crate) fn attach(
        &mut self,
        request: Pending,
        arguments: &AttachArguments,
        history: History,
        directory: PathBuf,
    ) {
        self.restart_files = arguments.restart_files;
        let is_live = owner_of(&directory).is_some() && !history.state().is_over();
        self.debuggee = Some(Debuggee::new(history, directory, is_live));
        self.root = self.debuggee.as_ref().map(|run| run.root().to_owned());
        self.start = Some((Start::Attach, request));
        self.event("initialized", json!({}));
    }

    /// The answer to `launch` or `attach` follows that to this request.
    pub(super) fn configuration_done(&mut self, done: &Request) -> Handled {
        self.respond(&pending(done, Value::Null));
        let Some((start, request)) = self.start.take() else {
            return Ok(None);
        };
        match start {
            Start::Launch(arguments) => {
                let mut points = if arguments.no_debug {
                    PausePoints::default()
                } else {
                    self.breakpoints.points()
                };
                points.entry = arguments.stop_on_entry;
                self.start = Some((Start::Attach, request));
                self.effects.push(Effect::Launch(arguments, points));
            }
            Start::Attach => {
                self.respond(&request);
                self.attached();
            }
        }
        Ok(None)
    }

    /// A run that was launched, or begins again, belongs to this process.
    pub(crate) fn started(&mut self, history: History, directory: PathBuf) {
        self.references.clear();
        self.is_stopped = false;
        self.is_terminated = false;
        self.debuggee = Some(Debuggee::new(history, directory, true));
        self.root = self.debuggee.as_ref().map(|run| run.root().to_owned());
        if let Some((_, request)) = self.start.take() {
            self.respond(&request);
        }
        self.announce(if self.is_launched { "launch" } else { "attach" });
    }

    /// A run could not be launched.
    pub(crate) fn not_started(&mut self, reason: &str) {
        if let Some((_, request)) = self.start.take() {
            self.refuse(&request, reason);
        }
        self.end_of_debuggee();
    }

    /// What has happened in a run that has begun, up to now.
    pub(crate) fn begin(&mut self) {
        let steps = self.debuggee.iter().flat_map(|run| run.history.steps());
        let mut events: Vec<Event> = steps.flat_map(|step| step.events.iter().cloned()).collect();
        // Those of the run that it continues are known.
        let is_fork = |event: &Event| matches!(event.kind, EventKind::PipelineForked { .. });
        if let Some(fork) = events.iter().rposition(is_fork) {
            events.drain(..fork);
        }
        self.happened(&events);
    }

    /// A visit could not begin again: the run stays as it is.
    pub(crate) fn not_restarted(&mut self, reason: &str) {
        self.note(&format!("the frame is not restarted: {reason}"));
        self.is_stopped = true;
        let stopped = Stopped {
            reason: "restart",
            description: Some("not restarted".to_owned()),
            text: Some(reason.to_owned()),
            thread_id: MAIN,
            all_threads_stopped: true,
            ..Stopped::default()
        };
        self.event("stopped", stopped);
    }

    fn attached(&mut self) {
        self.announce("attach");
        let Some(debuggee) = &mut self.debuggee else {
            return;
        };
        if debuggee.is_live {
            let (points, by) = (self.breakpoints.points(), by());
            let is_paused = debuggee.history.state().is_paused();
            self.effects
                .push(Effect::Ask(PauseRequest::Points { points, by }, None));
            if is_paused {
                self.stop_paused();
            }
            return;
        }
        // It is shown at its end; of one that ended well, at its last node.
        if debuggee.frames().is_empty() && !debuggee.visits().is_empty() {
            let last = debuggee.visits().len() - 1;
            debuggee.show(Moment::Past(last));
        }
        self.stop_at_end();
    }

    fn announce(&mut self, method: &str) {
        let Some(debuggee) = &self.debuggee else {
            return;
        };
        let name = format!("{} {}", debuggee.root(), debuggee.history.run());
        self.event(
            "process",
            json!({ "name": name, "isLocalProcess": true, "startMethod": method }),
        );
        self.event("thread", json!({ "reason": "started", "threadId": MAIN }));
    }

    /// The run has no process any more, and is not shown either.
    pub(super) fn end_of_debuggee(&mut self) {
        if !std::mem::replace(&mut self.is_terminated, true) {
            self.event("terminated", json!({}));
        }
    }

    pub(super) fn terminate(&mut self) -> Handled {
        if self.debuggee.as_ref().is_some_and(|run| run.is_live) {
            self.effects.push(Effect::Cancel);
        } else {
            self.after = Some(("terminated", json!({})));
            self.is_terminated = true;
        }
        Ok(Some(Value::Null))
    }

    /// A run that was launched is cancelled if the client says so; else it stays as it is, and can be resumed. One that was
    /// attached to continues without breakpoints; a paused one stays paused.
    pub(super) fn disconnect(&mut self, arguments: &DisconnectArguments) -> Handled {
        let ends = arguments.terminate_debuggee.unwrap_or(false);
        self.leave(ends);
        self.effects.push(Effect::End);
        Ok(Some(Value::Null))
    }

    /// The client is gone.
    pub(crate) fn leave(&mut self, ends: bool) {
        if !self.debuggee.as_ref().is_some_and(|run| run.is_live) {
            return;
        }
        if ends {
            self.effects.push(Effect::Cancel);
        } else {
            let (points, by) = (PausePoints::default(), by());
            self.effects
                .push(Effect::Ask(PauseRequest::Points { points, by }, None));
        }
    }
}
