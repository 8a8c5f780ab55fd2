//! Expressions of a client: a key, a condition with the value of each clause, a template, and questions about the run.

use attractor_machine::context::View;
use attractor_machine::context::text::plain;
use attractor_machine::transition::Frame;
use serde_json::Value;

use crate::conditions::{HELP, condition};
use crate::debuggee::{Debuggee, node_of};
use crate::why::why;

/// What an expression means.
pub(crate) enum Evaluated {
    /// The value of a key.
    Value(Value),
    /// A text for people.
    Text(String),
}

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
            return why(debuggee, frame, from, to).map(Evaluated::Text);
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

fn prompt(debuggee: &Debuggee, frame: &Frame, view: View<'_>) -> Result<Evaluated, String> {
    let node_ref = debuggee.node_ref(frame);
    let written = node_ref.and_then(|node_ref| node_ref.node.attributes.text("prompt"));
    let written = written.ok_or_else(|| format!("`{}` has no prompt", node_of(frame)))?;
    Ok(Evaluated::Text(plain(view, written)))
}
