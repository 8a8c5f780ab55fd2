//! Expressions of a client: a key, a condition with the value of each clause, a template, and questions about the run.

use std::fmt::Write as _;

use attractor_lang::Status;
use attractor_lang::condition::{Facts, evaluate, parse};
use attractor_machine::context::View;
use attractor_machine::machine::Frame;
use attractor_machine::text::plain;
use attractor_run::PointCondition;
use serde_json::Value;

use crate::debuggee::{Debuggee, node_of};
use crate::why::why;

/// What an expression means.
pub(crate) enum Evaluated {
    /// The value of a key.
    Value(Value),
    /// A text for people.
    Text(String),
}

/// What the expressions are that are no conditions, for a message.
pub(crate) const HELP: &str = "a context key, a condition (`depth > 2 and outcome=success`), a template (`{key}`), `why FROM TO`, `prompt`, `back [COUNT]`, `at NODE[@VISIT]`, `set KEY=VALUE`, `answer TEXT` or `fork`";

/// Evaluates an expression where a frame is.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn evaluated(
    debuggee: &Debuggee,
    frame: &Frame,
    expression: &str,
) -> Result<Evaluated, String> {
    let expression = expression.trim();
    let view = debuggee.view(frame).ok_or("the pipeline is gone")?;
    let mut words = expression.split_whitespace();
    match (words.next(), words.next(), words.next(), words.next()) {
        (Some("why"), Some(from), Some(to), None) => {
            return why(debuggee, from, to).map(Evaluated::Text);
        }
        (Some("prompt"), None, ..) => return prompt(debuggee, frame, view),
        _ => {}
    }
    if let Some(value) = view.json(expression) {
        return Ok(Evaluated::Value(value));
    }
    if expression.contains('{') || expression.contains('$') {
        return Ok(Evaluated::Text(plain(view, expression)));
    }
    let is_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
    if expression.is_empty() || expression.chars().all(is_name) {
        return Err(format!(
            "the context has no key `{expression}`; expected {HELP}"
        ));
    }
    condition(view, expression).map(Evaluated::Text)
}

/// Whether what a breakpoint demands holds.
pub(crate) fn holds(view: View<'_>, point: &PointCondition, visit: u32) -> bool {
    if point.visits.is_some_and(|visits| !visits.contains(visit)) {
        return false;
    }
    let Some(when) = &point.when else {
        return true;
    };
    let (condition, errors) = parse(when);
    errors.is_empty() && evaluate(&condition, &facts(&view)).value
}

fn facts<'v>(view: &'v View<'v>) -> Facts<'v> {
    Facts {
        context: view,
        status: view.text("outcome").map_or(Status::Success, Status::from),
        retries_left: false,
        labels: &[],
    }
}

/// A condition, and its clauses with the values of their keys.
fn condition(view: View<'_>, text: &str) -> Result<String, String> {
    let (condition, errors) = parse(text);
    if let Some(error) = errors.first() {
        let message = &error.message;
        return Err(format!("invalid condition: {message}; expected {HELP}"));
    }
    let evaluation = evaluate(&condition, &facts(&view));
    let mut lines = evaluation.value.to_string();
    for clause in &evaluation.clauses {
        let operands = clause.operands.iter();
        let operands = operands.map(|(key, value)| match value {
            attractor_lang::Value::Null => format!("{key} is missing"),
            value => format!("{key} = {value}"),
        });
        let operands: Vec<String> = operands.collect();
        let mark = match (clause.reached, clause.value) {
            (false, _) => "not reached",
            (true, true) => "true",
            (true, false) => "false",
        };
        // Writing to a string cannot fail.
        let _ = write!(lines, "\n  {}: {mark}", clause.text);
        if !operands.is_empty() {
            let _ = write!(lines, " ({})", operands.join(", "));
        }
    }
    for warning in &evaluation.warnings {
        let _ = write!(lines, "\n  ! {warning}");
    }
    Ok(lines)
}

fn prompt(debuggee: &Debuggee, frame: &Frame, view: View<'_>) -> Result<Evaluated, String> {
    let node_ref = debuggee.node_ref(frame);
    let written = node_ref.and_then(|node_ref| node_ref.node.attributes.text("prompt"));
    let written = written.ok_or_else(|| format!("`{}` has no prompt", node_of(frame)))?;
    Ok(Evaluated::Text(plain(view, written)))
}
