//! Nodes of a dry run: the outcome a script gives, and what such a node would have set.

use attractor_model::NodeKind;
use serde_json::Value;

use super::Work;
use crate::launch::Script;
use crate::outcome::{FailureClass, Outcome, Status};

/// The outcome of attempt number `past` + 1 of a node, over all its visits.
pub(crate) fn scripted(script: &Script, work: Work<'_>, past: usize) -> Outcome {
    let frame = work.frame;
    let words = script.outcomes.get(&frame.node);
    let status = words
        .and_then(|words| words.get(past).or_else(|| words.last()))
        .cloned();
    let mut outcome = match status {
        Some(status) if status.is_failure() => Outcome {
            status,
            ..Outcome::fail(FailureClass::Deterministic, "scripted by --outcome")
        },
        Some(status) => Outcome {
            status,
            ..Outcome::default()
        },
        None => super::prepare_quietly(work).unwrap_or_default(),
    };
    let failed = outcome.status.is_failure();
    let kind = work.node_ref.node.kind;
    if kind == NodeKind::Tool || work.node_ref.written("command").is_some() {
        let code = i32::from(failed);
        outcome = outcome
            .with("exit_code", code)
            .with("tool.exit_code", code)
            .with("stdout", "")
            .with("stderr", "");
    }
    if outcome.notes.is_empty() {
        outcome.notes = would_do(work);
    }
    if outcome.output.is_null() && kind.calls_model() {
        outcome.output = Value::from(outcome.notes.as_str());
    }
    if outcome.status == Status::Skipped {
        "skipped".clone_into(&mut outcome.notes);
    }
    outcome
}

/// What the node would do, in a line.
fn would_do(work: Work<'_>) -> String {
    const LONGEST: usize = 160;
    let text = ["command", "prompt", "duration", "sub_pipeline"]
        .into_iter()
        .find_map(|name| work.text(name))
        .unwrap_or_default();
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
