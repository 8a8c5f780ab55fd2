//! What running means, a small pipeline for each rule: where it goes, what it leaves in the context, how it ends.
//!
//! A line is walked with scripted outcomes, so nothing waits and nothing runs at the same time; `var.KEY` sets
//! what nodes would write, and `{key}` in it shows what they see.

use super::*;

mod conversations;
mod failures;
mod items;
mod limits;
mod no_route;
mod outcomes;
mod parallel;
mod promises;
mod restarts;
mod sub_pipelines;
mod templates;
mod time;

/// The rule in a few words; statements of a digraph that has `s` and `e`, or a whole file; scripted outcomes;
/// and what comes of it: the path, the failure after a `!`, and values as `; KEY=VALUE`.
type Line = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static [&'static str])],
    &'static str,
);

const ENDS: &str = "s [shape=Mdiamond]; e [shape=Msquare];";

fn file(statements: &str) -> String {
    if statements.starts_with("digraph") {
        statements.replace("ENDS", ENDS)
    } else {
        format!("digraph main {{ {ENDS} {statements} }}")
    }
}

/// Walks every line and compares what came of all of them.
async fn walk_all(lines: &[Line]) {
    let mut found = Vec::new();
    let mut wanted = Vec::new();
    for (says, statements, outcomes, expected) in lines {
        let report = walk(&file(statements), outcomes).await;
        found.push(format!("{says}: {}", shown(&report, expected)));
        wanted.push(format!("{says}: {expected}"));
    }
    pretty(&wanted.join("\n"), &found.join("\n"));
}

fn pretty(wanted: &str, found: &str) {
    assert!(wanted == found, "\nwanted:\n{wanted}\nfound:\n{found}");
}

/// Runs to the end and shows what came of it.
async fn came(launch: Launch, expected: &str) -> String {
    shown(&*run(launch).await, expected)
}

/// What came of a run, as far as `expected` asks.
fn shown(report: &RunReport, expected: &str) -> String {
    let mut text = path(report);
    if let Some(failure) = &report.failure {
        text.extend([" !", failure.reason.as_str()]);
    }
    let keys = expected
        .split("; ")
        .filter_map(|piece| Some(piece.split_once('=')?.0))
        .filter(|key| !key.contains([' ', '`']));
    for key in keys {
        let found = match value(report, key) {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        text.extend(["; ", key, "=", found.as_str()]);
    }
    text
}
