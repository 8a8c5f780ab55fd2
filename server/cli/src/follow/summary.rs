//! The summary of a run in three lines: status, last result or failure, and where the log is and how to resume. With
//! `--verbose`, the context precedes it. Pure.

use std::fmt::Write;

use attractor_run::figures::{self, duration};
use attractor_run::{Failure, FailureClass, Reality, RunReport, RunState};
use serde_json::Value;

use super::verbosity::Verbosity;
use crate::console::plain;
use crate::render::{counted, table};
use crate::style::{ATTENTION, BAD, FAINT, GOOD, STRONG, paint};

/// What the report does not contain.
#[derive(Debug, Default)]
pub struct SummaryDetails {
    /// How much is printed.
    pub detail: Verbosity,
    /// The branches that failed.
    pub failed_branches: Vec<String>,
    /// The nodes that failed, those of branches too.
    pub failed_nodes: Vec<String>,
    /// The goals that were not met.
    pub unmet_goals: Vec<String>,
    /// The last node with a summary of its result, and the summary.
    pub last_result: Option<(String, String)>,
    /// Whether models were simulated although nothing requested it.
    pub unrequested_simulation: bool,
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
    let steps = counted(report.steps, "step");
    let mut remarks = remarks(report, details).join(", ");
    if !remarks.is_empty() {
        remarks = format!(" · {}", paint(ATTENTION, remarks));
    }
    writeln!(
        text,
        "{mark} {} {}{} · {steps} in {}{}{remarks}",
        paint(STRONG, plain(&report.pipeline)),
        paint(STRONG, word),
        reality(report),
        duration(report.duration_ms),
        figures::usage(&report.usage).map_or_else(String::new, |used| format!(" · {used}")),
    )
    .ok();
    writeln!(text, "  {}", result_line(report, details)).ok();
    if let Some(log) = &details.log {
        let resume = details.resume.as_ref().filter(|_| report.can_resume());
        let resume = resume.map_or_else(String::new, |command| format!(" · to resume: {command}"));
        writeln!(text, "  {}{resume}", paint(FAINT, format!("log: {log}"))).ok();
    }
    text
}

/// ` · simulated`, of a run that is not real.
fn reality(report: &RunReport) -> String {
    let mark = report.reality.and_then(Reality::mark);
    mark.map_or_else(String::new, |mark| format!(" · {}", paint(ATTENTION, mark)))
}

/// What was not well in a run that succeeded nevertheless: `1 branch failed (b)`.
fn remarks(report: &RunReport, details: &SummaryDetails) -> Vec<String> {
    if report.status != RunState::Success {
        return Vec::new();
    }
    // A branch is named for its first node.
    let branches = &details.failed_branches;
    let nodes = details.failed_nodes.iter();
    let nodes: Vec<String> = nodes
        .filter(|node| !branches.contains(node))
        .cloned()
        .collect();
    let named = |names: &[String], one: &str, more: &str| {
        let shown = plain(&names.join(", ")).into_owned();
        match names.len() {
            0 => None,
            1 => Some(format!("1 {one} ({shown})")),
            count => Some(format!("{count} {more} ({shown})")),
        }
    };
    [
        named(branches, "branch failed", "branches failed"),
        named(&nodes, "node failed", "nodes failed"),
        named(&details.unmet_goals, "goal not met", "goals not met"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// One line about a run that did not succeed, or did so with failures or with models that were simulated unasked.
pub fn failure_line(report: &RunReport, details: &SummaryDetails) -> Option<String> {
    if report.status == RunState::Success {
        let mark = report.reality.and_then(Reality::mark);
        let mark = mark.filter(|_| details.unrequested_simulation);
        let marks = mark.map(str::to_owned).into_iter();
        let remarks: Vec<String> = marks.chain(remarks(report, details)).collect();
        let (name, remarks) = (plain(&report.pipeline), remarks.join(", "));
        let line = format!("{} {name} success, {remarks}", paint(ATTENTION, "!"));
        return (!remarks.is_empty()).then_some(line);
    }
    let (mark, word) = status(report.status);
    let (name, why) = (plain(&report.pipeline), reason(report).unwrap_or_default());
    Some(format!("{mark} {name} {word}: {why}"))
}

fn status(status: RunState) -> (String, &'static str) {
    match status {
        RunState::Success => (paint(GOOD, "✓"), "success"),
        RunState::Fail => (paint(BAD, "✗"), "failed"),
        RunState::Cancelled => (paint(ATTENTION, "■"), "cancelled"),
        RunState::Interrupted => (paint(ATTENTION, "■"), "interrupted"),
        RunState::Escalated => (paint(ATTENTION, "▲"), "escalated"),
        RunState::Invalid => (paint(BAD, "✗"), "invalid"),
        RunState::Running | RunState::Waiting | RunState::Paused => {
            (paint(ATTENTION, "●"), status.name())
        }
    }
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

/// `NODE: why it failed`, `stopped before NODE: why`.
fn reason(report: &RunReport) -> Option<String> {
    let failure = report.failure.as_ref()?;
    let option = option(report, failure);
    let option = option.map_or_else(String::new, |option| format!("; pass {option}"));
    Some(format!("{}{option}", plain(&failure.to_string())))
}

/// The option of this program that helps where the engine, which does not know its front ends, says only what is missing.
fn option(report: &RunReport, failure: &Failure) -> Option<String> {
    let node = failure
        .node
        .as_ref()
        .map_or_else(|| "NODE".into(), |node| plain(node));
    match failure.class {
        FailureClass::Unanswered => Some(format!("--answer {node}=ANSWER or --auto-approve")),
        FailureClass::NoRoute if report.reality == Some(Reality::Dry) => {
            Some(format!("--outcome {node}=STATUS"))
        }
        _ => None,
    }
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
