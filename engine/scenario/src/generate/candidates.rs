//! What the node before an edge may result in, so that the edge is taken.

use std::collections::BTreeMap;

use attractor_lang::Status;
use attractor_lang::condition::{Condition, Domain, Literal, Op, OperandKind, Sat, satisfiable};
use attractor_lint::named_outcomes;
use attractor_model::{Edge, EdgeIx, NodeIx, NodeKind, Pipeline};
use attractor_run::ScriptedOutcome;
use serde_json::Value;

use super::assignment::Choice;
use super::inputs::choice;
use crate::trace::{Step, Trace};

/// Conditions of a node beyond this many are not solved together.
const MAX_EDGES: usize = 40;

/// The choices at `step` after which the edge may be taken, likely ones first.
pub(crate) fn candidates(
    pipeline: &Pipeline,
    edge: EdgeIx,
    trace: &Trace,
    step: &Step,
) -> Vec<Choice> {
    let (Some(taken), Some(node)) = (pipeline.edge(edge), pipeline.node_by_id(&step.node)) else {
        return Vec::new();
    };
    let failure = || choice(pipeline, node, trace, Status::Fail.into(), []);
    if node.kind == NodeKind::HumanGate && !step.choices.is_empty() {
        let mut answers = answers(pipeline, taken, step);
        answers.push(failure());
        return answers;
    }
    let mut found: Vec<Choice> = Vec::new();
    let mut add = |outcome: ScriptedOutcome, values: BTreeMap<String, Value>| {
        let choice = choice(pipeline, node, trace, outcome, values);
        if !found.contains(&choice) {
            found.push(choice);
        }
    };
    for status in statuses(pipeline, taken.from) {
        if let Sat::Satisfiable(case) = solve(pipeline, edge, std::slice::from_ref(&status)) {
            let values = case.context.iter();
            let values = values.map(|(key, value)| (key.clone(), value.to_json()));
            add(status.into(), values.collect());
        }
    }
    for text in searched_texts(taken) {
        for status in [Status::Success, Status::Fail] {
            add(status.into(), BTreeMap::from([text.clone()]));
        }
    }
    if let (Some(label), false) = (taken.label(), taken.is_conditional()) {
        let outcome = ScriptedOutcome {
            preferred_label: Some(label.to_owned()),
            ..Status::Success.into()
        };
        add(outcome, BTreeMap::new());
    }
    add(Status::Fail.into(), BTreeMap::new());
    if !taken.is_conditional() && (node.kind.calls_model() || node.kind == NodeKind::Tool) {
        let outcome = ScriptedOutcome {
            next_node: Some(pipeline.id(taken.to).to_owned()),
            ..Status::Success.into()
        };
        add(outcome, BTreeMap::new());
    }
    found
}

/// The answers of a gate: the choice that the edge is labelled with first.
fn answers(pipeline: &Pipeline, edge: &Edge, step: &Step) -> Vec<Choice> {
    let own = |choice: &&String| edge.label() == Some(choice.as_str());
    let (first, rest): (Vec<&String>, Vec<&String>) = step.choices.iter().partition(own);
    let mut answers: Vec<Choice> = first
        .into_iter()
        .chain(rest)
        .map(|label| Choice::Answer(attractor_run::bare_label(label).to_owned()))
        .collect();
    if edge.freeform
        && pipeline
            .node(edge.from)
            .is_some_and(|node| node.id == step.node)
    {
        answers.insert(0, Choice::Answer("Please change this".to_owned()));
    }
    answers
}

/// The results that matter to the edges of a node.
fn statuses(pipeline: &Pipeline, node: NodeIx) -> Vec<Status> {
    let mut statuses = vec![Status::Success, Status::Fail];
    let named = conditions(pipeline, node).flat_map(|(_, condition)| named_outcomes(condition));
    statuses.extend(named);
    statuses.extend([Status::PartialSuccess, Status::Retry]);
    let mut known: Vec<Status> = Vec::new();
    statuses.retain(|status| {
        let new = !known.contains(status);
        known.push(status.clone());
        new
    });
    statuses
}

fn conditions(pipeline: &Pipeline, node: NodeIx) -> impl Iterator<Item = (EdgeIx, &Condition)> {
    let edges = pipeline.outgoing(node).iter();
    edges.filter_map(|ix| Some((*ix, pipeline.edge(*ix)?.condition.as_deref()?)))
}

/// A case in which this edge is the first one that can be taken.
pub(crate) fn solve(pipeline: &Pipeline, edge: EdgeIx, outcomes: &[Status]) -> Sat {
    let Some(taken) = pipeline.edge(edge) else {
        return Sat::Unknown;
    };
    if pipeline.outgoing(taken.from).len() > MAX_EDGES {
        return Sat::Unknown;
    }
    let before = conditions(pipeline, taken.from)
        .take_while(|(ix, _)| *ix != edge)
        .map(|(_, condition)| Literal {
            condition,
            holds: false,
        });
    let own = taken.condition.as_deref().map(|condition| Literal {
        condition,
        holds: true,
    });
    // An edge without a condition comes after all conditions, wherever it is in the order.
    let literals: Vec<Literal<'_>> = match own {
        Some(own) => before.chain([own]).collect(),
        None => conditions(pipeline, taken.from)
            .map(|(_, condition)| Literal {
                condition,
                holds: false,
            })
            .collect(),
    };
    let edges = pipeline.outgoing(taken.from).iter();
    let labels = edges.filter_map(|ix| pipeline.edge(*ix)?.label());
    let labels: Vec<String> = labels.map(str::to_owned).collect();
    let domain = Domain {
        outcomes,
        known: &|_| None,
        labels: &labels,
    };
    satisfiable(&literals, &domain)
}

/// Texts that the condition of an edge looks for in a key: `tool.output contains "PASS"`.
fn searched_texts(edge: &Edge) -> Vec<(String, Value)> {
    let Some(condition) = edge.condition.as_deref() else {
        return Vec::new();
    };
    let searched = condition.comparisons().filter_map(|compare| {
        let searches = matches!(
            compare.op,
            Op::Contains | Op::Matches | Op::StartsWith | Op::EndsWith
        );
        let OperandKind::Key(key) = &compare.left.kind else {
            return None;
        };
        match &compare.right.kind {
            OperandKind::Text(text) | OperandKind::Bare(text) | OperandKind::Key(text)
                if searches =>
            {
                let plain = text.trim_matches(['^', '$', '.', '*']);
                Some((key.to_string(), Value::from(plain)))
            }
            _ => None,
        }
    });
    searched.collect()
}
