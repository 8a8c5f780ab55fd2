//! Nodes of a dry run: the outcome a script gives, and what such a node would have set.

use attractor_machine::outcome::{FailureClass, Outcome, Status};
use attractor_model::NodeKind;
use serde_json::Value;

use super::json::set_parsed;
use super::work::{Prepared, Work};
use super::{codergen, dispatch, fan_in, quiet};
use crate::handlers::script::{Script, ScriptedModels};

/// What attempt number `past` + 1 of a node does in a dry run, over all its visits: nothing, or it calls a model that has
/// been recorded.
pub(crate) fn dry(script: &Script, work: Work<'_>, past: usize) -> Prepared {
    let is_open = !script.outcomes.contains_key(&work.frame.node);
    if script.models == ScriptedModels::Backends && is_open && !codergen::is_simulated(work) {
        let name = dispatch::handler_type(work.node_ref);
        let is = |kind: NodeKind| name == kind.name();
        if is(NodeKind::Codergen) || is(NodeKind::Prompt) {
            return codergen::prepare(work);
        }
        if is(NodeKind::FanIn) && work.node_ref.written("prompt").is_some() {
            return fan_in::prepare(work);
        }
    }
    Prepared::ready(scripted(script, work, past))
}

/// The outcome that a script gives.
fn scripted(script: &Script, work: Work<'_>, past: usize) -> Outcome {
    let outcomes = script.outcomes.get(&work.frame.node);
    let planned = outcomes
        .and_then(|outcomes| outcomes.get(past).or_else(|| outcomes.last()))
        .cloned()
        .unwrap_or_default();
    let mut outcome = match planned.status.clone() {
        Some(status) if status.is_failure() => Outcome {
            status,
            ..Outcome::fail(
                planned.failure_class.unwrap_or(FailureClass::Deterministic),
                "scripted failure",
            )
        },
        Some(status) => Outcome {
            status,
            ..Outcome::default()
        },
        None => without_effects(work).unwrap_or_default(),
    };
    if outcome.notes.is_empty() {
        outcome.notes = would_do(work);
    }
    set_results(work, planned.output.as_deref(), &mut outcome);
    outcome.preferred_label = planned.preferred_label.or(outcome.preferred_label);
    outcome.next_node = planned.next_node.or(outcome.next_node);
    outcome.context_updates.extend(planned.set);
    if outcome.status == Status::Skipped {
        "skipped".clone_into(&mut outcome.notes);
    }
    outcome
}

/// What a command or a model of that output leaves in the context.
fn set_results(work: Work<'_>, output: Option<&str>, outcome: &mut Outcome) {
    let kind = work.node_ref.node.kind;
    let text = output.unwrap_or_default();
    let mut updates: Vec<(String, Value)> = Vec::new();
    let mut set = |key: &str, value: Value| updates.push((key.to_owned(), value));
    if kind == NodeKind::Tool || work.node_ref.written("command").is_some() {
        let code = i32::from(outcome.status.is_failure());
        set("exit_code", Value::from(code));
        set("tool.exit_code", Value::from(code));
        set("stdout", Value::from(text));
        set("stderr", Value::from(""));
        if output.is_some() {
            set("tool.output", Value::from(text));
            let mut lines = text.lines().rev().map(str::trim);
            let last = lines.find(|line| !line.is_empty()).unwrap_or_default();
            set("tool.last_line", Value::from(last));
        }
    } else if output.is_some() && kind.calls_model() {
        set("last_response", Value::from(text));
        set("last_codergen_output", Value::from(text));
        set(&format!("response.{}", work.frame.node), Value::from(text));
    }
    outcome.context_updates.extend(updates);
    if output.is_some() {
        let key = work.node_ref.written("output_key");
        if let Some(key) = key {
            let value = Value::from(text);
            outcome.context_updates.insert(key.to_owned(), value);
        }
        if work.node_ref.flag("parse_json") {
            set_parsed(outcome, key.unwrap_or(&work.frame.node), text);
        }
        outcome.output = Value::from(text);
    } else if outcome.output.is_null() && kind.calls_model() {
        outcome.output = Value::from(outcome.notes.as_str());
    }
}

/// The outcome of a node that needs no effects.
fn without_effects(work: Work<'_>) -> Option<Outcome> {
    let prepared = match (work.node_ref.node.kind, work.node_ref.written("prompt")) {
        (NodeKind::Conditional, _) => quiet::prepare(work),
        (NodeKind::FanIn, None) => fan_in::prepare(work),
        _ => return None,
    };
    match prepared {
        Prepared::Ready(outcome) => Some(*outcome),
        Prepared::Task(_) => None,
    }
}

/// What the node would do, in a line.
fn would_do(work: Work<'_>) -> String {
    const LONGEST: usize = 160;
    let text = ["command", "prompt", "duration", "sub_pipeline"]
        .into_iter()
        .find_map(|name| work.text(name))
        .unwrap_or_default();
    // Before it is cut: a part of a key is not recognised.
    let text = work.place.redactor.text(&text);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return String::new();
    };
    let mut short: String = first.chars().take(LONGEST).collect();
    if lines.next().is_some() || first.chars().count() > LONGEST {
        short.push_str(" …");
    }
    format!("would {}: {short}", verb(work.node_ref.node.kind))
}

fn verb(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Tool | NodeKind::Start | NodeKind::Exit => "run",
        NodeKind::Wait => "wait",
        NodeKind::Supervisor | NodeKind::Pipeline => "run the pipeline",
        _ => "ask the model",
    }
}
