//! Names of generated scenarios: what differs from plain success, in words.

use std::collections::BTreeSet;

use attractor_lang::Status;
use attractor_run::ScriptedOutcome;
use serde_json::Value;

use super::assignment::Plan;
use super::generated::GeneratedScenario;
use crate::trace::Trace;

/// Names every scenario, each name once.
pub(crate) fn give_names(scenarios: &mut [GeneratedScenario]) {
    let mut known = BTreeSet::new();
    for scenario in scenarios {
        let mut name = describe(&scenario.plan, &scenario.trace);
        if scenario.max_steps.is_some() {
            name.push_str(", without an end");
        }
        let mut unique = name.clone();
        let mut number = 2;
        while !known.insert(unique.clone()) {
            unique = format!("{name} ({number})");
            number += 1;
        }
        scenario.name = unique;
    }
}

/// `test fails, then succeeds; review: Revise, then Approve`.
pub(crate) fn describe(plan: &Plan, trace: &Trace) -> String {
    let inputs = plan
        .inputs
        .iter()
        .map(|(key, value)| format!("{key} is {}", word(value)));
    let outcomes = plan
        .outcomes
        .iter()
        .map(|(node, outcomes)| of_node(node, outcomes, trace.attempts(node)));
    let answers = plan.answers.iter().map(|(node, answers)| {
        let runs = runs(answers)
            .into_iter()
            .map(|(answer, times)| match times {
                1 => answer.clone(),
                times => format!("{answer} {}", often(times)),
            });
        format!("{node}: {}", runs.collect::<Vec<_>>().join(", then "))
    });
    let parts: Vec<String> = inputs.chain(outcomes).chain(answers).collect();
    if parts.is_empty() {
        "every step succeeds".to_owned()
    } else {
        parts.join("; ")
    }
}

/// What a node does in so many attempts.
fn of_node(node: &str, outcomes: &[ScriptedOutcome], attempts: usize) -> String {
    let keeps = outcomes.len() == 1 && attempts > 1;
    let mut phrases: Vec<String> = Vec::new();
    for (outcome, times) in runs(outcomes) {
        let phrase = phrase(outcome, keeps);
        phrases.push(match times {
            1 => phrase,
            times => format!("{phrase} {}", often(times)),
        });
    }
    format!("{node} {}", phrases.join(", then "))
}

/// What a node does; `keeps` when it does so again and again.
fn phrase(outcome: &ScriptedOutcome, keeps: bool) -> String {
    let verb = match (&outcome.status, keeps) {
        (Some(Status::Fail), true) => "keeps failing".to_owned(),
        (Some(Status::Fail), false) => "fails".to_owned(),
        (Some(Status::Retry), true) => "keeps asking for a retry".to_owned(),
        (Some(Status::Retry), false) => "asks for a retry".to_owned(),
        (Some(Status::PartialSuccess), _) => "succeeds in part".to_owned(),
        (Some(Status::Skipped), _) => "is skipped".to_owned(),
        (Some(Status::Custom(word)), _) => format!("results in {word}"),
        (Some(Status::Success) | None, _) => "succeeds".to_owned(),
    };
    let mut details: Vec<String> = Vec::new();
    let class = outcome
        .failure_class
        .map(attractor_run::FailureClass::as_str);
    details.extend(class.map(|class| format!("reports {class}")));
    details.extend(
        outcome
            .preferred_label
            .as_ref()
            .map(|label| format!("prefers \"{label}\"")),
    );
    details.extend(
        outcome
            .next_node
            .as_ref()
            .map(|next| format!("goes to {next}")),
    );
    details.extend(
        outcome
            .output
            .as_ref()
            .map(|text| format!("outputs \"{}\"", short(text))),
    );
    let values = outcome
        .set
        .iter()
        .map(|(key, value)| format!("sets {key} to {}", word(value)));
    details.extend(values);
    match (verb.as_str(), details.is_empty()) {
        (_, true) => verb,
        ("succeeds", false) => details.join(" and "),
        (_, false) => format!("{verb} and {}", details.join(" and ")),
    }
}

/// Equal items that follow each other: the item, and how many.
fn runs<T: PartialEq>(items: &[T]) -> Vec<(&T, usize)> {
    let mut runs: Vec<(&T, usize)> = Vec::new();
    for item in items {
        match runs.last_mut() {
            Some((last, times)) if *last == item => *times += 1,
            _ => runs.push((item, 1)),
        }
    }
    runs
}

fn often(times: usize) -> String {
    match times {
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() => short(text),
        value => value.to_string(),
    }
}

fn short(text: &str) -> String {
    const MOST: usize = 30;
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
