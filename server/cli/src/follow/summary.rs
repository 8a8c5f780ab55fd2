//! The summary of a run in three lines: status, last result or failure, and where the log is and how to resume. With
//! `--verbose`, the context precedes it. Pure.

use std::fmt::Write;

use attractor_run::{RunReport, RunStatus};
use serde_json::Value;

use super::labels::duration;
use super::verbosity::Verbosity;
use crate::console::plain;
use crate::render::{counted, table};
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// What the report does not contain.
#[derive(Debug, Default)]
pub struct SummaryDetails {
    /// How much is printed.
    pub detail: Verbosity,
    /// The last node with a summary of its result, and the summary.
    pub last_result: Option<(String, String)>,
    /// Where the log is; `None` for a run without one.
    pub log: Option<String>,
    /// The command that resumes the run.
    pub resume: Option<String>,
}

/// The closing lines of a run.
pub fn text(report: &RunReport, details: &SummaryDetails) -> String {
    let mut text = String::from("\n");
    if details.detail == Verbosity::Verbose {
        text.push_str(&context(report));
    }
    let (mark, word) = status(report.status);
    let steps = counted(usize::try_from(report.steps).unwrap_or(usize::MAX), "step");
    writeln!(
        text,
        "{mark} {} {} · {steps} in {}",
        paint(STRONG, plain(&report.pipeline)),
        paint(STRONG, word),
        duration(report.duration_ms)
    )
    .ok();
    writeln!(text, "  {}", result_line(report, details)).ok();
    if let Some(log) = &details.log {
        let resume = details
            .resume
            .as_ref()
            .filter(|_| can_resume(report.status));
        let resume = resume.map_or_else(String::new, |command| format!(" · to resume: {command}"));
        writeln!(text, "  {}{resume}", paint(FAINT, format!("log: {log}"))).ok();
    }
    text
}

/// One line about a run that did not succeed.
pub fn failure_line(report: &RunReport) -> Option<String> {
    if report.status == RunStatus::Success {
        return None;
    }
    let (mark, word) = status(report.status);
    let (name, why) = (plain(&report.pipeline), reason(report).unwrap_or_default());
    Some(format!("{mark} {name} {word}: {why}"))
}

fn status(status: RunStatus) -> (String, &'static str) {
    match status {
        RunStatus::Success => (paint(GOOD, "✓"), "success"),
        RunStatus::Fail => (paint(BAD, "✗"), "failed"),
        RunStatus::Cancelled => (paint(ATTENTION, "■"), "cancelled"),
        RunStatus::Interrupted => (paint(ATTENTION, "■"), "interrupted"),
        RunStatus::Escalated => (paint(ATTENTION, "▲"), "escalated"),
        RunStatus::Invalid => (paint(BAD, "✗"), "invalid"),
    }
}

fn can_resume(status: RunStatus) -> bool {
    matches!(
        status,
        RunStatus::Fail | RunStatus::Cancelled | RunStatus::Interrupted
    )
}

/// The last result, or where and why the run stopped.
fn result_line(report: &RunReport, details: &SummaryDetails) -> String {
    if let Some(reason) = reason(report) {
        return reason;
    }
    match (&details.last_result, report.completed_nodes.last()) {
        (Some((node, summary)), _) => {
            let first = summary.lines().next().unwrap_or_default();
            format!("{}: {}", plain(node), plain(first))
        }
        (None, Some(last)) => format!("ended at {}", plain(last)),
        (None, None) => "no node ran".to_owned(),
    }
}

/// `NODE: why it failed`.
fn reason(report: &RunReport) -> Option<String> {
    let failure = report.failure.as_ref()?;
    let at = match &failure.node {
        Some(node) => format!("{}: ", plain(node)),
        None => String::new(),
    };
    Some(format!("{at}{}", plain(&failure.reason)))
}

/// The context as a table, without the keys of the engine's bookkeeping that begin with `_`.
fn context(report: &RunReport) -> String {
    let rows: Vec<Vec<String>> = report
        .context
        .iter()
        .filter(|(key, _)| !key.starts_with('_'))
        .map(|(key, value)| vec![key.clone(), one_line(value)])
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    table::draw(&["KEY", "VALUE"], rows) + "\n"
}

/// A value on one line: text without its line ends, anything else as JSON.
fn one_line(value: &Value) -> String {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}
