//! A run as a `JUnit` report: one test case per node, by its id. Pure.

use std::fmt::Write;

use attractor_run::{NodeSnapshot, NodeState, RunReport, RunSnapshot, RunState};
use jiff::Timestamp;

/// The report. `nodes` are those of the pipeline; one that was not reached is skipped.
pub fn report<'n>(
    report: &RunReport,
    snapshot: &RunSnapshot,
    nodes: impl Iterator<Item = &'n String>,
) -> String {
    let missed = nodes.filter(|node| !snapshot.nodes.contains_key(*node));
    let reached = snapshot.nodes.iter();
    let cases: Vec<Case<'_>> = reached
        .map(|(id, node)| Case::of(id, node))
        .chain(missed.map(|id| Case::skipped(id)))
        .collect();
    let count = |wanted: fn(&Outcome<'_>) -> bool| {
        cases.iter().filter(|case| wanted(&case.outcome)).count()
    };
    let failures = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let name = escaped(&report.pipeline);
    let totals = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        cases.len(),
        failures,
        // A run may fail although no node did, at a limit for example.
        u8::from(report.status != RunState::Success && failures == 0),
        count(|outcome| matches!(outcome, Outcome::Skipped)),
        seconds(report.duration_ms),
    );
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals}>\n  <testsuite name=\"{name}\" {totals}>\n"
    );
    text.push_str("    <properties>\n");
    for (name, value) in properties(report) {
        writeln!(text, "      <property name=\"{name}\" value=\"{value}\"/>").ok();
    }
    text.push_str("    </properties>\n");
    for case in &cases {
        case.write(&mut text, &name);
    }
    if report.status != RunState::Success {
        let reason = report
            .failure
            .as_ref()
            .map_or("", |failure| &failure.reason);
        writeln!(text, "    <system-err>{}</system-err>", escaped(reason)).ok();
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// What is true of the whole run.
fn properties(report: &RunReport) -> impl Iterator<Item = (&'static str, &'static str)> {
    let reality = report.reality.map(|reality| ("reality", reality.name()));
    std::iter::once(("state", report.status.name())).chain(reality)
}

struct Case<'a> {
    id: &'a str,
    millis: u64,
    outcome: Outcome<'a>,
}

enum Outcome<'a> {
    Passed,
    Failed(&'a str),
    Skipped,
}

impl<'a> Case<'a> {
    fn of(id: &'a str, node: &'a NodeSnapshot) -> Self {
        let time = |text: &Option<String>| text.as_ref()?.parse::<Timestamp>().ok();
        let took = time(&node.started_at)
            .zip(time(&node.ended_at))
            .map(|(begun, ended)| ended.as_millisecond() - begun.as_millisecond());
        Self {
            id,
            millis: took.and_then(|took| u64::try_from(took).ok()).unwrap_or(0),
            outcome: match node.state {
                NodeState::Success | NodeState::PartialSuccess => Outcome::Passed,
                NodeState::Fail => Outcome::Failed(&node.summary),
                NodeState::Pending
                | NodeState::Running
                | NodeState::Waiting
                | NodeState::Skipped
                | NodeState::Cancelled => Outcome::Skipped,
            },
        }
    }

    fn skipped(id: &'a str) -> Self {
        Self {
            id,
            millis: 0,
            outcome: Outcome::Skipped,
        }
    }

    fn write(&self, text: &mut String, suite: &str) {
        let (id, time) = (escaped(self.id), seconds(self.millis));
        let begin = format!("    <testcase name=\"{id}\" classname=\"{suite}\" time=\"{time}\"");
        match self.outcome {
            Outcome::Passed => writeln!(text, "{begin}/>"),
            Outcome::Skipped => writeln!(text, "{begin}><skipped/></testcase>"),
            Outcome::Failed(why) => writeln!(
                text,
                "{begin}><failure message=\"{}\"/></testcase>",
                escaped(why)
            ),
        }
        .ok();
    }
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

/// Text in an attribute or an element; what XML cannot hold is left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}
