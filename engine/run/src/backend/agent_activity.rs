//! What an agent does with tools, as the events of a run show it: bounded, without secrets.

use attractor_exec::{Redactor, printable};
use attractor_machine::event::{
    AgentModelCall, AgentNotice, AgentPlan, AgentProgress, EventKind, HookReport, NodeAttempt,
    ToolCallEnd, ToolCallStart,
};
use serde_json::Value;

/// How much of an output is shown, in characters.
const OUTPUT: usize = 2_000;

/// How much of the name of a model is shown, in characters.
const NAME: usize = 200;

/// How much of each text in the arguments is shown, in characters.
const ARGUMENT: usize = 1_000;

/// What an agent does with tools.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AgentActivity {
    /// It calls a tool.
    ToolCallStart(ToolCallStart),
    /// A call has ended.
    ToolCallEnd(ToolCallEnd),
    /// A hook ran before or after a call.
    ToolHook(Box<HookReport>),
    /// It has called its model.
    ModelCall(Box<AgentModelCall>),
    /// It reports something else.
    Notice(Box<AgentNotice>),
    /// It has made or changed its plan.
    Plan(AgentPlan),
    /// How far it is; reported every few seconds.
    Progress(AgentProgress),
}

impl AgentActivity {
    /// The same, short enough for an event and without secrets.
    pub(crate) fn shown(self, redactor: &Redactor) -> Self {
        let text = |text: &str, limit: usize| {
            let text = redactor.text(text);
            shortened(&printable(&text), limit)
        };
        match self {
            Self::ToolCallStart(mut call) => {
                call.arguments = texts(call.arguments, &|one| text(one, ARGUMENT));
                Self::ToolCallStart(call)
            }
            Self::ToolCallEnd(mut call) => {
                call.output = text(&call.output, OUTPUT);
                Self::ToolCallEnd(call)
            }
            Self::ToolHook(mut report) => {
                report.output = text(&report.output, OUTPUT);
                Self::ToolHook(report)
            }
            Self::ModelCall(mut call) => {
                call.model = text(&call.model, NAME);
                Self::ModelCall(call)
            }
            Self::Notice(notice) => Self::Notice(Box::new(notice.map(|one| text(one, OUTPUT)))),
            Self::Plan(plan) => Self::Plan(plan.map(|one| text(one, ARGUMENT))),
            Self::Progress(progress) => Self::Progress(progress),
        }
    }

    /// Whether it is an event also where an attempt has written more than is shown: what a call of a model cost is counted.
    pub(crate) const fn is_always_shown(&self) -> bool {
        matches!(self, Self::Notice(_) | Self::ModelCall(_) | Self::Plan(_))
    }

    /// About how many bytes its event has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::ToolCallStart(call) => call.arguments.to_string().len(),
            Self::ToolCallEnd(call) => call.output.len(),
            Self::ToolHook(report) => report.output.len(),
            Self::Plan(plan) => plan.steps.iter().map(|one| one.step.len()).sum(),
            Self::ModelCall(_) | Self::Notice(_) | Self::Progress(_) => 0,
        }
    }

    /// Its event.
    pub(crate) fn event(self, at: NodeAttempt) -> EventKind {
        match self {
            Self::ToolCallStart(call) => EventKind::AgentToolCallStart { at, call },
            Self::ToolCallEnd(call) => EventKind::AgentToolCallEnd { at, call },
            Self::ToolHook(report) => EventKind::AgentToolHook { at, report },
            Self::ModelCall(call) => EventKind::AgentModelCall { at, call },
            Self::Notice(notice) => EventKind::AgentNotice { at, notice },
            Self::Plan(plan) => EventKind::AgentPlan { at, plan },
            Self::Progress(progress) => EventKind::AgentProgress { at, progress },
        }
    }
}

/// A value with each of its texts replaced.
fn texts(value: Value, replace: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(replace(&text)),
        Value::Array(items) => items.into_iter().map(|item| texts(item, replace)).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, field)| (name, texts(field, replace)))
            .collect(),
        other => other,
    }
}

fn shortened(text: &str, limit: usize) -> String {
    let mut shown: String = text.chars().take(limit).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn events_are_short_and_without_secrets() {
        let redactor = attractor_exec::redactor(["hunter2hunter2"]);
        let start = AgentActivity::ToolCallStart(ToolCallStart {
            tool_name: "shell".to_owned(),
            tool_call_id: "c1".to_owned(),
            arguments: json!({"command": "echo hunter2hunter2", "lines": ["x".repeat(2_000), 1]}),
        });
        let AgentActivity::ToolCallStart(ToolCallStart { arguments, .. }) = start.shown(&redactor)
        else {
            unreachable!("a start stays one");
        };
        assert_eq!(arguments["command"], "echo [redacted]");
        assert_eq!(arguments["lines"][0], format!("{}…", "x".repeat(ARGUMENT)));
        let end = AgentActivity::ToolCallEnd(ToolCallEnd {
            tool_name: "shell".to_owned(),
            tool_call_id: "c1".to_owned(),
            output: "y".repeat(3_000),
            is_error: false,
        });
        assert!(end.shown(&redactor).size() < 2_010);
    }
}
