//! Compares what a run did with what its scenario expects.

use attractor_dot::TextRange;
use attractor_lang::Status;
use attractor_lang::condition::{Facts, evaluate};
use attractor_run::{FailureClass, RunState};
use serde_json::Value;

use crate::expectation::{End, PathItem};
use crate::located::Located;
use crate::path_pattern::{Divergence, divergence};
use crate::routing::explain;
use crate::scenario::Scenario;
use crate::trace::Trace;

/// An expectation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong, in a sentence.
    pub message: String,
    /// What was expected, a line per node for a path.
    pub expected: String,
    /// What happened, in the same form.
    pub actual: String,
    /// Why the run did what it did.
    pub reason: Option<String>,
    /// The expectation in the scenario file.
    pub range: TextRange,
}

/// The failures of a scenario, in the order of its expectations.
pub(crate) fn judge(scenario: &Scenario, trace: &Trace) -> Vec<Failure> {
    let mut failures = unrecorded(scenario, trace);
    if !failures.is_empty() {
        // What the run did after that says nothing about the pipeline.
        return failures;
    }
    failures.extend(path(scenario, trace));
    failures.extend(end(scenario, trace));
    failures.extend(end_node(scenario, trace));
    failures.extend(reason(scenario, trace));
    failures.extend(context(scenario, trace));
    failures.extend(conditions(scenario, trace));
    failures
}

/// Requests that the cassette has no answer to; the difference from the nearest recorded one is the reason.
fn unrecorded(scenario: &Scenario, trace: &Trace) -> Vec<Failure> {
    let cassette = scenario.cassette.as_ref();
    let range = cassette.map_or(scenario.name.range, |cassette| cassette.range);
    let failures = trace.unrecorded.iter().map(|(node, problem)| {
        let (problem, diff) = match problem.split_once('\n') {
            Some((problem, diff)) => (problem, Some(diff.to_owned())),
            None => (problem.as_str(), None),
        };
        Failure {
            message: format!("`{node}` got no answer: {problem}"),
            expected: "a recorded answer".to_owned(),
            actual: "none".to_owned(),
            reason: diff,
            range,
        }
    });
    failures.collect()
}

fn path(scenario: &Scenario, trace: &Trace) -> Option<Failure> {
    let Located {
        value: pattern,
        range,
    } = scenario.expect.path.as_ref()?;
    let nodes: Vec<&str> = trace.path().collect();
    let at = divergence(pattern, &nodes)?;
    let place = match pattern.get(at.items) {
        Some(PathItem::Node(_, place)) => *place,
        _ => *range,
    };
    Some(Failure {
        message: path_message(pattern, &nodes, &at),
        expected: expected_path(pattern, &nodes, &at).join("\n"),
        actual: nodes.join("\n"),
        reason: path_reason(trace, &at),
        range: place,
    })
}

/// The expected path: the nodes that fit it, in place of the gaps between them, then the rest of the pattern.
fn expected_path<'a>(pattern: &'a [PathItem], nodes: &[&'a str], at: &Divergence) -> Vec<&'a str> {
    let fits = nodes.iter().take(at.nodes).copied();
    let gap = at.after_gap.then_some("…");
    let rest = pattern.iter().skip(at.items).map(|item| match item {
        PathItem::Node(name, _) => name.as_str(),
        PathItem::Gap => "…",
    });
    fits.chain(gap).chain(rest).collect()
}

fn path_message(pattern: &[PathItem], nodes: &[&str], at: &Divergence) -> String {
    let step = at.nodes + 1;
    match (pattern.get(at.items), nodes.get(at.nodes)) {
        (Some(PathItem::Node(name, _)), _) if at.after_gap => {
            format!("the path never reaches `{name}` after step {}", at.nodes)
        }
        (Some(PathItem::Node(name, _)), Some(node)) => {
            format!("the path differs at step {step}: expected `{name}`, found `{node}`")
        }
        (Some(PathItem::Node(name, _)), None) => {
            format!(
                "the path ends after step {}; expected `{name}` next",
                at.nodes
            )
        }
        (_, Some(node)) => {
            format!("the path continues at step {step} with `{node}`; expected its end")
        }
        (_, None) => "the path differs".to_owned(),
    }
}

/// Why the run entered the first node that does not fit, or why it ended before.
fn path_reason(trace: &Trace, at: &Divergence) -> Option<String> {
    if at.after_gap {
        return None;
    }
    match trace.steps.get(at.nodes) {
        Some(step) => Some(explain(trace.crossings.get(step.by?)?)),
        None => failure_reason(trace),
    }
}

fn failure_reason(trace: &Trace) -> Option<String> {
    let failure = trace.report.failure.as_ref()?;
    Some(match &failure.node {
        Some(node) => format!("`{node}` failed: {}", failure.reason),
        None => failure.to_string(),
    })
}

fn end(scenario: &Scenario, trace: &Trace) -> Option<Failure> {
    let expected = scenario.expect.end.as_ref();
    let wanted = expected.map_or_else(End::default, |end| end.value);
    let actual = End::of(trace.report.status);
    if actual == wanted {
        return None;
    }
    Some(Failure {
        message: if is_stopped(trace) {
            never_ends(trace)
        } else {
            format!(
                "the run ended with `{}`; expected `{}`",
                actual.name(),
                wanted.name()
            )
        },
        expected: wanted.name().to_owned(),
        actual: actual.name().to_owned(),
        reason: match actual {
            End::Fail if is_stopped(trace) => None,
            End::Fail => failure_reason(trace),
            End::Escalated => trace
                .last_node()
                .map(|node| format!("it ended at the `escalate` node `{node}`")),
            End::Success => trace
                .last_node()
                .map(|node| format!("it ended at `{node}`")),
        },
        range: expected.map_or(scenario.name.range, |end| end.range),
    })
}

/// Whether the run was stopped at its limit of steps.
pub(crate) fn is_stopped(trace: &Trace) -> bool {
    let failure = trace.report.failure.as_ref();
    trace.report.status == RunState::Fail
        && failure.is_some_and(|failure| {
            failure.class == FailureClass::BudgetExhausted && failure.reason.contains("max_steps")
        })
}

/// The message of a run that goes round until it is stopped, with the nodes it repeats.
fn never_ends(trace: &Trace) -> String {
    const SHOWN: usize = 6;
    let mut repeated: Vec<&str> = Vec::new();
    for node in trace.path().collect::<Vec<_>>().into_iter().rev() {
        if repeated.contains(&node) || repeated.len() == SHOWN {
            break;
        }
        repeated.push(node);
    }
    repeated.reverse();
    format!(
        "the run does not end: it was stopped after {} steps and repeats {}. Add an outcome that leaves the loop, or set \
         `max_steps`",
        trace.report.steps,
        repeated.join(" → ")
    )
}

fn end_node(scenario: &Scenario, trace: &Trace) -> Option<Failure> {
    let expected = scenario.expect.end_node.as_ref()?;
    let actual = trace.last_node().unwrap_or_default();
    (actual != expected.value).then(|| Failure {
        message: format!("the run ended at `{actual}`; expected `{}`", expected.value),
        expected: expected.value.clone(),
        actual: actual.to_owned(),
        reason: failure_reason(trace),
        range: expected.range,
    })
}

fn reason(scenario: &Scenario, trace: &Trace) -> Option<Failure> {
    let expected = scenario.expect.reason.as_ref()?;
    let failure = trace.report.failure.as_ref();
    let actual = failure.map_or("", |failure| &failure.reason);
    (!actual.contains(&expected.value)).then(|| Failure {
        message: if actual.is_empty() {
            "the run did not fail".to_owned()
        } else {
            format!("the run failed for another reason: {actual}")
        },
        expected: expected.value.clone(),
        actual: actual.to_owned(),
        reason: None,
        range: expected.range,
    })
}

fn context(scenario: &Scenario, trace: &Trace) -> Vec<Failure> {
    let expected = scenario.expect.context.iter();
    let differs = expected.filter_map(|(key, expected)| {
        let actual = trace.report.context.get(key).unwrap_or(&Value::Null);
        let equal = attractor_lang::Value::from(actual.clone())
            == attractor_lang::Value::from(expected.value.clone());
        (!equal).then(|| Failure {
            message: match actual {
                Value::Null => format!("`{key}` is not set; expected {}", expected.value),
                actual => format!("`{key}` is {actual}; expected {}", expected.value),
            },
            expected: format!("{key} = {}", expected.value),
            actual: format!("{key} = {actual}"),
            reason: None,
            range: expected.range,
        })
    });
    differs.collect()
}

fn conditions(scenario: &Scenario, trace: &Trace) -> Vec<Failure> {
    let context = &trace.report.context;
    let outcome = context.get("outcome").and_then(Value::as_str);
    let facts = Facts {
        context,
        status: outcome.map(Status::parse).unwrap_or_default(),
        retries_left: false,
        labels: &[],
    };
    let expected = scenario.expect.conditions.iter();
    let fails = expected.filter_map(|condition| {
        let evaluation = evaluate(&condition.value, &facts);
        if evaluation.value {
            return None;
        }
        let text = condition.value.to_string();
        let operands = evaluation
            .clauses
            .iter()
            .flat_map(|clause| &clause.operands);
        let mut values: Vec<String> = operands
            .map(|(key, value)| match value {
                attractor_lang::Value::Null => format!("{key} is not set"),
                attractor_lang::Value::Text(text) => format!("{key} is \"{text}\""),
                value => format!("{key} is {value}"),
            })
            .collect();
        values.dedup();
        let values = values.join(", ");
        Some(Failure {
            message: format!("`{text}` does not hold at the end: {values}"),
            expected: text,
            actual: values,
            reason: None,
            range: condition.range,
        })
    });
    fails.collect()
}
