//! What is said when a run is over: its last context as a table, and one line that says how it went.
//! Pure.

use std::fmt::Write;

use attractor_run::{RunReport, RunStatus};
use serde_json::Value;

use super::cells::duration;
use super::detail::Detail;
use crate::console::plain;
use crate::render::{counted, table};
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// The closing lines of a run. Keys that begin with `_`, and without `--verbose` those of the engine's
/// bookkeeping, are not shown.
pub fn text(report: &RunReport, detail: Detail) -> String {
    let mut text = String::from("\n");
    let shown = |key: &str| {
        !key.starts_with('_') && (detail == Detail::Verbose || !key.starts_with("internal."))
    };
    let rows: Vec<Vec<String>> = report
        .context
        .iter()
        .filter(|(key, _)| shown(key))
        .map(|(key, value)| vec![key.clone(), one_line(value)])
        .collect();
    if !rows.is_empty() {
        text.push_str(&table::draw(&["KEY", "VALUE"], rows));
        text.push('\n');
    }
    let (mark, word) = match report.status {
        RunStatus::Success => (paint(GOOD, "✓"), "success"),
        RunStatus::Fail => (paint(BAD, "✗"), "failed"),
        RunStatus::Cancelled => (paint(ATTENTION, "■"), "cancelled"),
        RunStatus::Interrupted => (paint(ATTENTION, "■"), "interrupted"),
        RunStatus::Escalated => (paint(ATTENTION, "▲"), "escalated"),
        RunStatus::Invalid => (paint(BAD, "✗"), "invalid"),
    };
    let steps = counted(usize::try_from(report.steps).unwrap_or(usize::MAX), "step");
    let took = duration(report.duration_ms);
    let run = paint(FAINT, format!("run {}", report.run));
    writeln!(
        text,
        "{mark} {} · {steps} in {took} · {run}",
        paint(STRONG, word)
    )
    .ok();
    if let Some(failure) = &report.failure {
        let at = match &failure.node {
            Some(node) if !failure.reason.contains(node.as_str()) => format!("{}: ", plain(node)),
            _ => String::new(),
        };
        writeln!(text, "  {at}{}", plain(&failure.reason)).ok();
    }
    if matches!(report.status, RunStatus::Cancelled | RunStatus::Interrupted) {
        writeln!(text, "  attractor resume {} goes on with it", report.run).ok();
    }
    text
}

/// A value on one line: text without its line ends, anything else as JSON.
fn one_line(value: &Value) -> String {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
