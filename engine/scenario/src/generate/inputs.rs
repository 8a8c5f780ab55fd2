//! Where a context key gets its value from in a scenario: an input, the output of a command or model, a node that sets
//! it.

use std::collections::BTreeMap;

use attractor_lang::Status;
use attractor_lang::lists::variables;
use attractor_model::{Node, NodeKind, Pipeline};
use attractor_run::ScriptedOutcome;
use serde_json::Value;

use super::assignment::Choice;
use crate::trace::Trace;

/// Keys that hold what a command printed.
const COMMAND_OUTPUT: [&str; 3] = ["stdout", "tool.output", "tool.last_line"];
/// Keys that hold what a model answered.
const MODEL_OUTPUT: [&str; 2] = ["last_response", "last_codergen_output"];
/// Keys that the engine sets, whatever nodes do.
const OF_THE_ENGINE: [&str; 11] = [
    "outcome",
    "status",
    "retries",
    "current_node",
    "last_stage",
    "preferred_label",
    "failure_class",
    "failure_reason",
    "failure_signature",
    "run_id",
    "node",
];

/// The choice in which `node` results in `outcome` and the keys have these values.
pub(crate) fn choice(
    pipeline: &Pipeline,
    node: &Node,
    trace: &Trace,
    mut outcome: ScriptedOutcome,
    values: impl IntoIterator<Item = (String, Value)>,
) -> Choice {
    let declared = pipeline.attributes.text("vars").unwrap_or_default();
    let (declared, _) = variables(declared);
    let (mut of_nodes, mut inputs) = (Vec::new(), BTreeMap::new());
    let runs_command = node.kind == NodeKind::Tool || node.attributes.has("command");
    for (key, value) in values {
        let key = key.strip_prefix("context.").unwrap_or(&key);
        if let Some((id, own)) = of_node(pipeline, key) {
            if id == node.id {
                outcome.set.insert(own.to_owned(), value);
            } else if trace.steps.iter().any(|step| step.node == id) {
                of_nodes.push((id.to_owned(), own.to_owned(), value));
            }
        } else if key == "preferred_label" {
            outcome.preferred_label = value.as_str().map(str::to_owned);
        } else if key == "failure_class" && outcome.status.as_ref().is_some_and(Status::is_failure)
        {
            outcome.failure_class = serde_json::from_value(value).ok();
        } else if is_of_the_engine(key) {
            // It has its value by the path to here, or not at all.
        } else if declared.iter().any(|one| one.name == key) {
            inputs.insert(key.to_owned(), value);
        } else if runs_command && COMMAND_OUTPUT.contains(&key)
            || !runs_command && node.kind.calls_model() && MODEL_OUTPUT.contains(&key)
        {
            outcome.output = Some(
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned),
            );
        } else if !is_exit_code(key, &value, &outcome) {
            outcome.set.insert(key.to_owned(), value);
        }
    }
    Choice::Outcome {
        outcome,
        of_nodes,
        inputs,
    }
}

/// The node and the key of `node.NODE.KEY`.
fn of_node<'k>(pipeline: &Pipeline, key: &'k str) -> Option<(&'k str, &'k str)> {
    let rest = key.strip_prefix("node.")?;
    let dots = rest.match_indices('.').map(|(at, _)| at);
    let pairs = dots.filter_map(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)));
    let mut pairs = pairs.filter(|(id, own)| pipeline.by_id(id).is_some() && *own != "outcome");
    pairs.next()
}

fn is_of_the_engine(key: &str) -> bool {
    OF_THE_ENGINE.contains(&key) || key.starts_with("internal.") || key.starts_with("graph.")
}

/// Whether the status of a command sets this exit code by itself.
fn is_exit_code(key: &str, value: &Value, outcome: &ScriptedOutcome) -> bool {
    let failed = outcome.status.as_ref().is_some_and(Status::is_failure);
    matches!(key, "exit_code" | "tool.exit_code") && value.as_i64() == Some(i64::from(failed))
}
