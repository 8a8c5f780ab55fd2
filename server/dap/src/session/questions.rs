//! `evaluate`: expressions, and commands of the debug console for clients without the buttons.

use attractor_machine::frame::FrameId;
use serde_json::json;

use super::{Effect, Handled, Session, body, pending};
use crate::evaluate::{Evaluated, evaluated};
use crate::protocol::{EvaluateArguments, Request};
use crate::stack::{MAIN, frame_id, top};
use crate::time_travel::{self, Direction};

/// Visits that `back` goes back at most.
const MAX_BACK: usize = 100_000;

impl Session {
    pub(super) fn evaluate(&mut self, request: &Request, arguments: &EvaluateArguments) -> Handled {
        let debuggee = self.debuggee()?;
        let named = arguments.frame_id.and_then(frame_id);
        let id = named
            .or_else(|| top(debuggee, MAIN))
            .ok_or("nothing runs")?;
        let expression = arguments.expression.trim();
        if arguments.context.as_deref() == Some("repl")
            && let Some(handled) = self.command(request, id, expression)
        {
            return handled;
        }
        let debuggee = self.debuggee()?;
        let frame = debuggee.frame(id).ok_or("unknown frame")?;
        match evaluated(debuggee, frame, expression)? {
            Evaluated::Value(value) => {
                let variable = self.references.variable(expression, &value);
                let mut answer = json!({
                    "result": variable.value,
                    "type": variable.kind,
                    "variablesReference": variable.variables_reference,
                });
                // They are absent, not null, where a value has nothing inside.
                for (name, count) in [
                    ("namedVariables", variable.named_variables),
                    ("indexedVariables", variable.indexed_variables),
                ] {
                    if let (Some(count), Some(fields)) = (count, answer.as_object_mut()) {
                        fields.insert(name.to_owned(), count.into());
                    }
                }
                body(answer)
            }
            Evaluated::Text(text) => body(json!({ "result": text, "variablesReference": 0 })),
        }
    }

    /// A command of the console, if it is one.
    fn command(&mut self, request: &Request, id: FrameId, line: &str) -> Option<Handled> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "back" => Some(self.back(rest)),
            "at" if !rest.is_empty() => Some(self.at(rest)),
            "set" => {
                let (key, value) = rest.split_once('=')?;
                Some(self.set_key(request, id, (key.trim(), value.trim())))
            }
            "fork" if rest.is_empty() => Some(self.restart_of(id).and_then(|restart| {
                self.effects.push(Effect::Restart(restart));
                said("the node begins again, as a new run")
            })),
            "answer" if !rest.is_empty() => {
                let answer = said("answered").ok().flatten().unwrap_or_default();
                let answer = pending(request, answer);
                self.effects.push(Effect::Answer(rest.to_owned(), answer));
                Some(Ok(None))
            }
            _ => None,
        }
    }

    fn back(&mut self, count: &str) -> Handled {
        let count = match count {
            "" => 1,
            count => count
                .parse::<usize>()
                .map_err(|_| format!("`back` takes a number of visits, not `{count}`"))?,
        };
        for _ in 0..count.min(MAX_BACK) {
            let debuggee = self.debuggee.as_mut().ok_or("no run is debugged yet")?;
            let moment = time_travel::step(debuggee, Direction::Back, None);
            if moment == debuggee.moment() {
                break;
            }
            debuggee.mark(moment);
        }
        let moment = self.debuggee()?.moment();
        self.travel_after_answer(moment)?;
        said("")
    }

    fn at(&mut self, visit: &str) -> Handled {
        let moment = time_travel::find_visit(self.debuggee()?, visit);
        let moment = moment.ok_or_else(|| format!("the run has no visit `{visit}`"))?;
        self.travel_after_answer(moment)?;
        said("")
    }
}

fn said(text: &str) -> Handled {
    body(json!({ "result": text, "variablesReference": 0 }))
}
