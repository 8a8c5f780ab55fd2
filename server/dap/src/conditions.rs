//! Conditions over the context of a run: those of breakpoints, and those that are asked about.

use std::fmt::Write as _;

use attractor_lang::Status;
use attractor_lang::condition::{Facts, evaluate, parse};
use attractor_machine::context::View;
use attractor_run::PointCondition;

/// What the expressions are that are no conditions, for a message.
pub(crate) const HELP: &str = "a context key, a condition (`depth > 2 and outcome=success`), a template (`{key}`), `why FROM TO`, `prompt`, `back [COUNT]`, `at NODE[@VISIT]`, `set KEY=VALUE`, `answer TEXT` or `fork`";

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
pub(crate) fn condition(view: View<'_>, text: &str) -> Result<String, String> {
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
