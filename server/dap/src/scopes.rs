//! What a client sees of a frame: context, node, last outcome, cost.

use std::collections::BTreeMap;

use attractor_lang::Value as LangValue;
use attractor_machine::context::text::plain;
use attractor_machine::frame::FrameId;
use attractor_machine::transition::{Frame, InputKind, remaining_budget};
use attractor_run::{EventKind, figures};
use serde_json::{Value, json};

use crate::debuggee::{Debuggee, node_of};
use crate::protocol::{Scope, Variable};
use crate::values::{MAX_ENTRIES, Reference, References, ScopeKind, text};

/// Attributes that are templates.
const TEMPLATES: [&str; 3] = ["prompt", "command", "duration"];

/// Keys of the context that say how the last node has ended.
const OUTCOME: [&str; 8] = [
    "last_stage",
    "outcome",
    "preferred_label",
    "failure_class",
    "failure_reason",
    "exit_code",
    "tool.output",
    "last_response",
];

/// The scopes of a frame.
pub(crate) fn scopes(frame: FrameId, references: &mut References) -> Vec<Scope> {
    let mut scope = |name, hint, kind, expensive| Scope {
        name,
        presentation_hint: hint,
        variables_reference: references.add(Reference::Scope { kind, frame }),
        expensive,
    };
    vec![
        scope("Context", Some("locals"), ScopeKind::Context, false),
        scope("Node", None, ScopeKind::Node, false),
        scope("Last outcome", None, ScopeKind::Outcome, false),
        scope("Cost and budget", None, ScopeKind::Cost, false),
    ]
}

/// The variables of a scope.
pub(crate) fn variables(
    debuggee: &Debuggee,
    kind: ScopeKind,
    id: FrameId,
    references: &mut References,
) -> Vec<Variable> {
    let Some(frame) = debuggee.frame(id) else {
        return Vec::new();
    };
    match kind {
        ScopeKind::Context => context(debuggee, frame, references),
        ScopeKind::Node => node(debuggee, frame),
        ScopeKind::Outcome => outcome(debuggee, frame, references),
        ScopeKind::Cost => cost(debuggee),
    }
}

/// What is inside of a value: those from `start` on, `count` of them at most.
pub(crate) fn inside(
    value: &Value,
    (start, count): (usize, Option<usize>),
    references: &mut References,
) -> Vec<Variable> {
    let most = count.filter(|count| *count > 0).unwrap_or(MAX_ENTRIES);
    match value {
        Value::Array(items) => {
            let part = items.iter().enumerate().skip(start).take(most);
            part.map(|(index, item)| references.variable(&index.to_string(), item))
                .collect()
        }
        Value::Object(table) => {
            let part = table.iter().skip(start).take(most);
            part.map(|(key, item)| references.variable(key, item))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn context(debuggee: &Debuggee, frame: &Frame, references: &mut References) -> Vec<Variable> {
    let Some(view) = debuggee.view(frame) else {
        return Vec::new();
    };
    let origins = origins(debuggee);
    let all = view.all().into_iter();
    all.map(|(key, value)| {
        let mut variable = references.variable(&key, &value);
        if let (Some(kind), Some(origin)) = (&mut variable.kind, origins.get(&key)) {
            *kind = format!("{kind}, {origin}");
        }
        variable.evaluate_name = Some(key);
        variable
    })
    .collect()
}

/// Where keys were set: `set by plan@2`.
fn origins(debuggee: &Debuggee) -> BTreeMap<String, String> {
    let mut origins = BTreeMap::new();
    let steps = debuggee.history.steps().iter().take(debuggee.steps_shown());
    for step in steps {
        match &step.input.kind {
            InputKind::Finished { outcome, .. } => {
                let ended = step.events.iter().find_map(|event| match &event.kind {
                    EventKind::StageCompleted { at, .. } | EventKind::StageFailed { at, .. } => {
                        Some(at)
                    }
                    _ => None,
                });
                let Some(at) = ended else { continue };
                let origin = format!("set by {}@{}", at.node, at.visit);
                let keys = outcome.context_updates.keys().cloned();
                let output = (!outcome.output.is_null()).then(|| format!("output.{}", at.node));
                for key in keys.chain(output) {
                    origins.insert(key, origin.clone());
                }
            }
            InputKind::Override { set, by, .. } => {
                for key in set.keys() {
                    origins.insert(key.clone(), format!("set by {by}"));
                }
            }
            _ => {}
        }
    }
    origins
}

fn node(debuggee: &Debuggee, frame: &Frame) -> Vec<Variable> {
    let Some(node_ref) = debuggee.node_ref(frame) else {
        return Vec::new();
    };
    let mut variables = vec![
        text("id", node_of(frame)),
        text("kind", node_ref.node.kind.name()),
        text("visit", frame.visit.to_string()),
        text("attempt", frame.attempt.to_string()),
    ];
    if let Some(view) = debuggee.view(frame) {
        let rendered = TEMPLATES.iter().filter_map(|name| {
            let written = node_ref.node.attributes.text(name)?;
            Some(text(&format!("{name} (rendered)"), plain(view, written)))
        });
        variables.extend(rendered);
    }
    let attributes = node_ref.node.attributes.iter();
    variables.extend(attributes.map(|attribute| text(attribute.name(), attribute.value())));
    variables
}

fn outcome(debuggee: &Debuggee, frame: &Frame, references: &mut References) -> Vec<Variable> {
    let Some(view) = debuggee.view(frame) else {
        return Vec::new();
    };
    let keys = OUTCOME
        .iter()
        .filter_map(|key| Some((*key, view.json(key)?)));
    let mut variables: Vec<Variable> = keys
        .map(|(key, value)| references.variable(key, &value))
        .collect();
    let output = view.text("last_stage").and_then(|node| {
        let key = format!("output.{node}");
        let value = view.json(&key)?;
        Some(references.variable(&key, &value))
    });
    variables.extend(output);
    if let Some(failure) = debuggee
        .state()
        .end
        .as_ref()
        .and_then(|end| end.failure.as_ref())
    {
        variables.push(text("failure of the run", failure.to_string()));
    }
    variables
}

fn cost(debuggee: &Debuggee) -> Vec<Variable> {
    let state = debuggee.state();
    let usage = &state.usage;
    let mut variables = vec![
        text("steps", state.steps.to_string()),
        text("active time", figures::duration(state.clock)),
        text("cost", format!("${:.4}", usage.cost)),
        text("tokens", usage.tokens().to_string()),
    ];
    let left = remaining_budget(debuggee.history.plan(), state);
    let cost = left
        .cost
        .map(|left| text("cost left", format!("${left:.4}")));
    let tokens = left
        .tokens
        .map(|left| text("tokens left", left.to_string()));
    variables.extend(cost.into_iter().chain(tokens));
    variables
}

/// The value that a client gives to a key: JSON, else text. One of another kind than before is refused: conditions would
/// compare it in another way.
///
/// # Errors
/// What was expected.
pub(crate) fn new_value(key: &str, before: Option<&Value>, written: &str) -> Result<Value, String> {
    let read = serde_json::from_str(written.trim());
    let value = read.unwrap_or_else(|_| LangValue::read(written).to_json());
    let is_as_before = match before {
        None | Some(Value::Null) => true,
        Some(before) => crate::values::kind(before) == crate::values::kind(&value),
    };
    if is_as_before {
        return Ok(value);
    }
    if let Some(Value::String(_)) = before {
        return Ok(json!(written));
    }
    Err(format!(
        "`{key}` is a {}, and `{}` is a {}",
        before.map_or("null", crate::values::kind),
        written.trim(),
        crate::values::kind(&value)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_value_is_of_the_kind_of_the_old_one() {
        let read = |before: Value, written| new_value("depth", Some(&before), written);
        assert_eq!(read(json!(3), "4"), Ok(json!(4)));
        assert_eq!(read(json!("a"), "4"), Ok(json!("4")));
        assert_eq!(read(json!("a"), "\"b\""), Ok(json!("b")));
        assert_eq!(read(json!([1]), "[2]"), Ok(json!([2])));
        assert_eq!(new_value("new", None, "some text"), Ok(json!("some text")));
        assert_eq!(
            read(json!(3), "many"),
            Err("`depth` is a number, and `many` is a text".to_owned())
        );
    }
}
