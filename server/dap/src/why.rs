//! Why an edge was taken, or was not.

use std::fmt::Write as _;

use attractor_run::{ClauseValue, EventKind};

use attractor_machine::transition::Frame;

use crate::conditions::condition;
use crate::debuggee::{Debuggee, Moment, node_of};

/// Why the run went from a node to another one, or did not, when it last left the first one before the moment that is
/// shown.
///
/// # Errors
/// The run has not left the node.
pub(crate) fn why(
    debuggee: &Debuggee,
    frame: &Frame,
    from: &str,
    to: &str,
) -> Result<String, String> {
    let steps = debuggee.history.steps().iter().take(debuggee.steps_shown());
    let mut events = steps.rev().flat_map(|step| step.events.iter().rev());
    let taken = events.find_map(|event| match &event.kind {
        EventKind::EdgeSelected {
            from: source,
            to,
            rule,
            label,
            condition,
            clauses,
            ..
        } if source == from => Some((to, rule, label, condition, clauses)),
        _ => None,
    });
    let Some((target, rule, label, condition, clauses)) = taken else {
        return not_left(debuggee, frame, from, to);
    };
    let rule = serde_json::to_value(rule).unwrap_or_default();
    let rule = rule.as_str().unwrap_or_default().replace('_', " ");
    let mut text = if target == to {
        format!("{from} -> {to} was taken by rule: {rule}")
    } else {
        format!("{from} -> {to} was not taken; {from} -> {target} was, by rule: {rule}")
    };
    if let Some(condition) = condition {
        // Writing to a string cannot fail.
        let _ = write!(text, " `{condition}`");
    }
    if let Some(label) = label {
        let _ = write!(text, " (label `{label}`)");
    }
    for clause in clauses {
        let _ = write!(text, "\n  {}", shown(clause));
    }
    Ok(text)
}

/// The same for a node that the run has not left. Where it ended there, the condition of the edge has the values of the end.
fn not_left(debuggee: &Debuggee, frame: &Frame, from: &str, to: &str) -> Result<String, String> {
    if !debuggee.has_node(from) {
        return Err(format!("the pipeline has no node `{from}`"));
    }
    let unknown = || format!("the run has not left `{from}`");
    let has_ended = debuggee.moment() == Moment::Now && debuggee.state().end.is_some();
    let view = debuggee.view(frame).ok_or_else(unknown)?;
    if !has_ended || node_of(frame) != from {
        return Err(unknown());
    }
    let pipeline = debuggee.node_ref(frame).ok_or_else(unknown)?.pipeline;
    let edges = pipeline.edges.iter();
    let edges = edges.filter(|edge| pipeline.id(edge.from) == from && pipeline.id(edge.to) == to);
    let conditions = edges.map(|edge| edge.attributes.text("condition"));
    let mut text = format!("the run has ended at `{from}`");
    for written in conditions.flatten() {
        // Writing to a string cannot fail.
        let _ = write!(text, "; `{written}` is {}", condition(view, written)?);
    }
    Ok(text)
}

/// `depth > 2 (to fix): false (depth = 1)`
fn shown(clause: &ClauseValue) -> String {
    let operands = clause.operands.iter();
    let operands: Vec<String> = operands
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    let values = if operands.is_empty() {
        String::new()
    } else {
        format!(" ({})", operands.join(", "))
    };
    format!(
        "{} (to {}): {}{values}",
        clause.text, clause.to, clause.value
    )
}
