//! A session: what the adapter says to a client and does, as a function of requests and of what happens in the run.
//!
//! Nothing is read from the client or the disk here but source files that the client names; the server does what
//! [`Effect`]s say and reports back.

mod breakpoints;
mod configuration;
mod control;
mod events;
mod inspect;
mod questions;

use attractor_run::{PausePoints, PauseRequest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::breakpoints::Breakpoints;
use crate::client_format::ClientFormat;
use crate::debuggee::{Debuggee, Moment};
use crate::host::Restart;
use crate::protocol::{LaunchArguments, Request, RestartFiles};
use crate::values::References;

/// What a session asks the server to do.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Send a message to the client.
    Send(Value),
    /// Start a run, and report it.
    Launch(Box<LaunchArguments>, PausePoints),
    /// Ask the run. What it replies is the answer to the request of that number, if there is one.
    Ask(PauseRequest, Option<Pending>),
    /// Answer the open question of the run.
    Answer(String, Pending),
    /// Begin a visit again as a new run, and report it.
    Restart(Restart),
    /// Cancel the run.
    Cancel,
    /// End the session.
    End,
}

/// A request that is answered later, and the body of its answer.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    pub(crate) seq: i64,
    pub(crate) command: String,
    pub(crate) body: Value,
}

/// How a session begins.
enum Start {
    Launch(Box<LaunchArguments>),
    /// The run is there already.
    Attach,
}

/// A session.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Session {
    format: ClientFormat,
    seq: i64,
    /// The request to launch or attach, until it is answered.
    start: Option<(Start, Pending)>,
    is_launched: bool,
    /// The pipeline that a launch runs.
    root: Option<String>,
    restart_files: RestartFiles,
    breakpoints: Breakpoints,
    pub(crate) debuggee: Option<Debuggee>,
    references: References,
    /// Whether the client knows that the run is paused or has ended.
    is_stopped: bool,
    /// Whether the client itself lets the run continue.
    continues: bool,
    is_terminated: bool,
    goto_targets: Vec<(Option<String>, String)>,
    /// An event that follows the answer under way.
    after: Option<(&'static str, Value)>,
    effects: Vec<Effect>,
}

type Handled = Result<Option<Value>, String>;

impl Session {
    /// Takes a request.
    pub(crate) fn request(&mut self, message: Value) -> Vec<Effect> {
        match serde_json::from_value::<Request>(message) {
            Ok(request) => match self.handle(&request) {
                Ok(Some(body)) => self.respond(&pending(&request, body)),
                // It is answered later.
                Ok(None) => {}
                Err(message) => self.refuse(&pending(&request, Value::Null), &message),
            },
            Err(error) => tracing::warn!(%error, "a message of the client is not a request"),
        }
        if let Some((event, body)) = self.after.take() {
            self.event(event, body);
        }
        std::mem::take(&mut self.effects)
    }

    fn handle(&mut self, request: &Request) -> Handled {
        let debugs = self.debuggee.is_some();
        match request.command.as_str() {
            "initialize" => self.initialize(&read(request)?),
            "attach" | "launch" if debugs || self.start.is_some() => {
                Err("the session has a run already".to_owned())
            }
            "launch" => self.launch(request),
            "setBreakpoints" => self.set_breakpoints(read(request)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(read(request)?),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(read(request)?),
            "setDataBreakpoints" => self.set_data_breakpoints(read(request)?),
            "dataBreakpointInfo" => self.data_breakpoint_info(&read(request)?),
            "breakpointLocations" => self.breakpoint_locations(&read(request)?),
            "configurationDone" => self.configuration_done(request),
            "disconnect" => self.disconnect(&read_or_default(request)),
            "terminate" => self.terminate(),
            "threads" if !debugs => Ok(Some(json!({ "threads": [] }))),
            _ if !debugs => Err("no run is debugged yet".to_owned()),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&read(request)?),
            "scopes" => self.scopes(&read(request)?),
            "variables" => self.variables(&read(request)?),
            "setVariable" => self.set_variable(request, &read(request)?),
            "evaluate" => self.evaluate(request, &read(request)?),
            "exceptionInfo" => self.exception_info(),
            "continue" => self.proceed(request),
            "next" | "stepIn" | "stepOut" => self.step(request, &read(request)?),
            "stepBack" => self.step_back(&read(request)?),
            "reverseContinue" => self.reverse_continue(),
            "pause" => self.pause(request),
            "restartFrame" => self.restart_frame(&read(request)?),
            "gotoTargets" => self.goto_targets(&read(request)?),
            "goto" => self.goto(request, &read(request)?),
            other => Err(format!("the adapter does not support `{other}`")),
        }
    }

    /// Answers a request well.
    pub(crate) fn respond(&mut self, to: &Pending) {
        let mut message = json!({
            "type": "response",
            "request_seq": to.seq,
            "command": to.command,
            "success": true,
        });
        if !to.body.is_null()
            && let Some(fields) = message.as_object_mut()
        {
            fields.insert("body".to_owned(), to.body.clone());
        }
        self.send(message);
    }

    /// Answers a request with an error.
    pub(crate) fn refuse(&mut self, to: &Pending, reason: &str) {
        self.continues = false;
        let message = json!({
            "type": "response",
            "request_seq": to.seq,
            "command": to.command,
            "success": false,
            "message": reason,
            // Braces in a format are variables of the protocol.
            "body": { "error": { "id": 1, "format": "{reason}", "variables": { "reason": reason }, "showUser": true } },
        });
        self.send(message);
    }

    pub(crate) fn event(&mut self, name: &str, body: impl Serialize) {
        let body = serde_json::to_value(body).unwrap_or_default();
        self.send(json!({ "type": "event", "event": name, "body": body }));
    }

    /// A line for the console of the client.
    pub(crate) fn note(&mut self, text: &str) {
        let output = format!("{text}\n");
        self.event("output", json!({ "category": "console", "output": output }));
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        if let Some(fields) = message.as_object_mut() {
            fields.insert("seq".to_owned(), self.seq.into());
        }
        self.effects.push(Effect::Send(message));
    }

    /// What has been decided since the last call.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    fn debuggee(&self) -> Result<&Debuggee, String> {
        let debuggee = self.debuggee.as_ref();
        debuggee.ok_or_else(|| "no run is debugged yet".to_owned())
    }

    /// The run, if it can be changed: it is paused, and the present is shown.
    fn changeable(&self) -> Result<&Debuggee, String> {
        let debuggee = self.debuggee()?;
        if !debuggee.is_live {
            return Err("the run has ended: restart a frame to run from there".to_owned());
        }
        if debuggee.moment() != Moment::Now {
            return Err("the past cannot be changed: restart a frame to run from there".to_owned());
        }
        if !debuggee.history.state().is_paused() {
            return Err("the run is not paused".to_owned());
        }
        Ok(debuggee)
    }
}

/// Who debugs, for the journal.
pub(crate) fn by() -> String {
    attractor_run::person_using("debugger")
}

fn pending(request: &Request, body: Value) -> Pending {
    Pending {
        seq: request.seq,
        command: request.command.clone(),
        body,
    }
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, String> {
    let arguments = match &request.arguments {
        Value::Null => json!({}),
        arguments => arguments.clone(),
    };
    let read = serde_json::from_value(arguments);
    read.map_err(|error| format!("invalid arguments of `{}`: {error}", request.command))
}

fn read_or_default<T: DeserializeOwned + Default>(request: &Request) -> T {
    read(request).unwrap_or_default()
}

fn body(value: impl Serialize) -> Handled {
    let value = serde_json::to_value(value);
    value.map(Some).map_err(|error| error.to_string())
}
