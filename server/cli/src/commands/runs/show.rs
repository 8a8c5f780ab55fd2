//! `attractor runs show`: how far a run is, how each node ended and what it cost, and what to do next.

use std::path::Path;

use attractor_run::figures::{self, duration};
use attractor_run::{NodeSnapshot, RunSnapshot, StatusReport};
use serde::Serialize;

use crate::commands::ListFormat;
use crate::console;
use crate::error::Error;
use crate::follow::question;
use crate::project;
use crate::render::{counted, run_state, table};
use crate::style::{FAINT, STRONG, paint};

/// What `runs show --format json` prints.
#[derive(Serialize)]
struct RunDetails<'s> {
    #[serde(flatten)]
    snapshot: &'s RunSnapshot,
    report: StatusReport,
    /// The folder with its log; absent for a run of a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<&'s Path>,
    /// The command that takes it further.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Prints a run, or the run `child` of a sub-pipeline in it. `directory` is that of a run on this machine.
pub fn show(
    snapshot: RunSnapshot,
    child: Option<&str>,
    directory: Option<&Path>,
    format: ListFormat,
) -> Result<(), Error> {
    let next = next_step(&snapshot, directory);
    let mut snapshot = child_of(snapshot, child)?;
    let report = attractor_run::take_status_report(&mut snapshot);
    let details = RunDetails {
        snapshot: &snapshot,
        report,
        log: directory,
        next,
    };
    match format {
        ListFormat::Json => console::json(&details),
        ListFormat::Human => print(&details),
    }
}

fn child_of(snapshot: RunSnapshot, child: Option<&str>) -> Result<RunSnapshot, Error> {
    let mut names = child.into_iter().flat_map(|child| child.split('/'));
    names.try_fold(snapshot, |mut run, name| {
        let child = run.children.swap_remove(name).map(|child| child.run);
        child.ok_or_else(|| Error::UnknownChildRun {
            run: run.run.clone(),
            name: name.to_owned(),
            names: run.children.keys().cloned().collect(),
        })
    })
}

/// Answers an open question, else resumes a run that ended too early.
fn next_step(snapshot: &RunSnapshot, directory: Option<&Path>) -> Option<String> {
    let run = match directory {
        Some(directory) => project::name_of_run(directory),
        None => snapshot.run.clone(),
    };
    match &*snapshot.questions {
        [_] if snapshot.state.is_live() => Some(format!("attractor answer {run} ANSWER")),
        [first, ..] if snapshot.state.is_live() => {
            Some(format!("attractor answer {run} {} ANSWER", first.node))
        }
        _ if snapshot.can_resume() && directory.is_some() => {
            Some(format!("attractor resume {run}"))
        }
        _ => None,
    }
}

fn print(details: &RunDetails<'_>) -> Result<(), Error> {
    let run = details.snapshot;
    console::line(&heading(run))?;
    console::print(&details.report.text())?;
    console::print(&format!("\n{}", nodes(run)))?;
    for open in &run.questions {
        let lines = question::ask(open, console::width());
        console::line(&format!("\n{}", lines.join("\n")))?;
    }
    if let Some(failure) = &run.failure {
        console::line(&format!("\n{}", console::plain(&failure.to_string())))?;
    }
    let log = details
        .log
        .map(|log| format!("log: {}", project::shown(log)));
    let next = details.next.as_ref().map(|next| format!("next: {next}"));
    let mut lines = log.into_iter().chain(next).peekable();
    if lines.peek().is_some() {
        console::line("")?;
    }
    lines.try_for_each(|line| console::line(&paint(FAINT, line)))
}

/// `release · fail (simulated) · 3 steps in 2.1 s · 12 k tokens · $0.03`
fn heading(run: &RunSnapshot) -> String {
    let steps = counted(run.steps, "step");
    let time = run.duration_ms.map(|ms| format!(" in {}", duration(ms)));
    let mut parts = vec![
        paint(STRONG, console::plain(&run.pipeline)),
        run_state::with_mark(run.state, run.reality),
        format!("{steps}{}", time.unwrap_or_default()),
    ];
    parts.extend(figures::usage(&run.usage));
    parts.join(" · ")
}

/// The nodes in the order in which they were reached; what models used only where one was called.
fn nodes(run: &RunSnapshot) -> String {
    let calls_models = run
        .nodes
        .values()
        .any(|node| node.model.is_some() || node.simulated);
    let mut headings = vec!["NODE", "STATE", "VISITS", "TIME"];
    if calls_models {
        headings.extend(["MODEL", "TOKENS", "COST"]);
    }
    headings.push("SUMMARY");
    let rows = run.nodes.iter().map(|(id, node)| {
        let mut row = vec![
            id.clone(),
            node.state.name().to_owned(),
            node.visit.to_string(),
            time(node),
        ];
        if calls_models {
            row.extend(model(node));
        }
        row.push(node.summary.clone());
        row
    });
    table::draw(&headings, rows)
}

fn time(node: &NodeSnapshot) -> String {
    match node.ended_at {
        Some(_) => duration(node.duration_ms),
        None => String::new(),
    }
}

/// The model, and its tokens and cost until now.
fn model(node: &NodeSnapshot) -> [String; 3] {
    let name = match &node.model {
        _ if node.simulated => "simulated".to_owned(),
        Some(name) => name.clone(),
        None => String::new(),
    };
    let (tokens, cost) = (node.tokens_so_far(), node.cost_so_far());
    [
        name,
        if tokens > 0 {
            figures::tokens(tokens)
        } else {
            String::new()
        },
        if cost > 0.0 {
            figures::dollars(cost)
        } else {
            String::new()
        },
    ]
}
