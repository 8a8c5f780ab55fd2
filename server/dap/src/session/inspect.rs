//! Requests that look at the moment that is shown.

use std::collections::BTreeMap;

use attractor_machine::context::ROOT;
use attractor_run::PauseRequest;
use serde_json::{Value, json};

use super::{Effect, Handled, Session, body, by, pending};
use crate::protocol::{
    FrameArguments, Request, SetVariableArguments, StackTraceArguments, VariablesArguments,
};
use crate::scopes;
use crate::stack::{self, frame_id};
use crate::values::{MAX_ENTRIES, Reference, ScopeKind, kind, shown};

impl Session {
    pub(super) fn threads(&self) -> Handled {
        let threads = stack::threads(self.debuggee()?);
        body(json!({ "threads": threads }))
    }

    pub(super) fn stack_trace(&self, arguments: &StackTraceArguments) -> Handled {
        let debuggee = self.debuggee()?;
        let frames = stack::frames(debuggee, arguments.thread_id);
        let levels = arguments.levels.filter(|levels| *levels > 0);
        let part = frames.iter().skip(arguments.start_frame.unwrap_or(0));
        let part = part.take(levels.unwrap_or(MAX_ENTRIES));
        let shown = part.filter_map(|id| stack::shown(debuggee, *id, self.format));
        let shown: Vec<_> = shown.collect();
        body(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
    }

    pub(super) fn scopes(&mut self, arguments: &FrameArguments) -> Handled {
        let id = frame_id(arguments.frame_id).filter(|id| self.has_frame(*id));
        let id = id.ok_or("unknown frame")?;
        let scopes = scopes::scopes(id, &mut self.references);
        body(json!({ "scopes": scopes }))
    }

    fn has_frame(&self, id: attractor_machine::frame::FrameId) -> bool {
        let debuggee = self.debuggee.as_ref();
        debuggee.is_some_and(|debuggee| debuggee.frame(id).is_some())
    }

    pub(super) fn variables(&mut self, arguments: &VariablesArguments) -> Handled {
        let reference = self.references.get(arguments.variables_reference);
        let reference = reference.cloned().ok_or("the run has continued since")?;
        let debuggee = self.debuggee.as_ref().ok_or("no run is debugged yet")?;
        let start = arguments.start.unwrap_or(0);
        let variables = match reference {
            Reference::Scope { kind, frame } => {
                let all = scopes::variables(debuggee, kind, frame, &mut self.references);
                let most = arguments.count.filter(|count| *count > 0);
                let most = most.unwrap_or(usize::MAX);
                all.into_iter().skip(start).take(most).collect()
            }
            Reference::Value(value) => {
                scopes::inside(&value, (start, arguments.count), &mut self.references)
            }
        };
        body(json!({ "variables": variables }))
    }

    pub(super) fn set_variable(
        &mut self,
        request: &Request,
        arguments: &SetVariableArguments,
    ) -> Handled {
        let reference = self.references.get(arguments.variables_reference);
        let Some(Reference::Scope {
            kind: ScopeKind::Context,
            frame,
        }) = reference.cloned()
        else {
            return Err("only keys of the context can be set, as a whole".to_owned());
        };
        self.set_key(request, frame, (&arguments.name, &arguments.value))
    }

    /// Sets a key of the context, and answers with its value.
    pub(super) fn set_key(
        &mut self,
        request: &Request,
        id: attractor_machine::frame::FrameId,
        (key, written): (&str, &str),
    ) -> Handled {
        let debuggee = self.changeable()?;
        let frame = debuggee.frame(id).ok_or("unknown frame")?;
        let view = debuggee.view(frame).ok_or("the pipeline is gone")?;
        let before = view.stored(key);
        let value = scopes::new_value(key, before, written)?;
        let answer = match request.command.as_str() {
            "evaluate" => json!({ "result": shown(&value), "variablesReference": 0 }),
            _ => json!({ "value": shown(&value), "type": kind(&value), "variablesReference": 0 }),
        };
        let order = PauseRequest::Override {
            frame: id,
            set: BTreeMap::from([(key.to_owned(), value)]),
            next: None,
            by: by(),
        };
        self.effects
            .push(Effect::Ask(order, Some(pending(request, answer))));
        Ok(None)
    }

    pub(super) fn exception_info(&self) -> Handled {
        let state = self.debuggee()?.state();
        if let Some(failure) = state.end.as_ref().and_then(|end| end.failure.as_ref()) {
            return body(json!({
                "exceptionId": failure.class.as_str(),
                "description": failure.to_string(),
                "breakMode": "unhandled",
            }));
        }
        let context = state.contexts.flatten(ROOT);
        let text = |key: &str| {
            let value = context.get(key).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        };
        body(json!({
            "exceptionId": text("failure_class"),
            "description": text("failure_reason"),
            "breakMode": "always",
        }))
    }
}
