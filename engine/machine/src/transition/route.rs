//! Where a run goes after a node: the order of language reference, section 5, and nothing else.
//!
//! Pure over what it is shown. Goal gates come after it (it answers "this is a terminal node"), retries
//! before it.

use std::collections::BTreeMap;

use attractor_lang::condition::{Evaluation, Keyword};
use attractor_model::{Edge, analysis};

use super::crossing::{Crossing, Retries, edge_limit, evaluation, labels, worn_out};
use super::no_route;
use super::on_failure::only_notes_failure;
use crate::event::{ClauseValue, Rule};
use crate::plan::NodeRef;
use crate::question::normal_label;

/// The decision.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Next {
    /// Continue.
    Go(Way),
    /// This is a terminal node, and it is content.
    Terminal,
    /// A node without outgoing edges: the end.
    End,
    /// It has outgoing edges, and none of them can be taken, for this reason.
    NoRoute(String),
    /// No way leads on after a failure.
    Stuck,
}

/// A chosen way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Way {
    pub(crate) to: String,
    pub(crate) rule: Rule,
    pub(crate) label: Option<String>,
    pub(crate) condition: Option<String>,
    /// The count to raise, when the edge has a limit.
    pub(crate) counted: Option<String>,
    pub(crate) restart: bool,
    /// What the edge says about the conversation of the node it leads to.
    pub(crate) carries: BTreeMap<String, String>,
    pub(crate) clauses: Vec<ClauseValue>,
    pub(crate) warnings: Vec<String>,
}

impl Way {
    /// A way that no edge makes.
    pub(crate) fn jump(to: &str, rule: Rule) -> Self {
        Self {
            to: to.to_owned(),
            rule,
            label: None,
            condition: None,
            counted: None,
            restart: false,
            carries: BTreeMap::new(),
            clauses: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// What was found out on the way to a decision.
#[derive(Default)]
struct Notes {
    clauses: Vec<ClauseValue>,
    warnings: Vec<String>,
}

/// Decides.
pub(crate) fn route(at: Crossing<'_>) -> Next {
    let failed = at.outcome.status.is_failure();
    let mut notes = Notes::default();
    if let Some(id) = &at.outcome.next_node {
        return Next::Go(Way::jump(id, Rule::NextNode));
    }
    if at.node_ref.node.terminal {
        return match failed {
            false => Next::Terminal,
            true if only_notes_failure(at.node_ref) => Next::Terminal,
            true => retry_target(at.node_ref).map_or(Next::Stuck, Next::Go),
        };
    }
    if let Some((edge, rule)) = chosen_edge(at, &mut notes) {
        return Next::Go(way(at, edge, rule, notes));
    }
    if !failed || only_notes_failure(at.node_ref) {
        let mut ways = at
            .node_ref
            .outgoing()
            .map(|edge| at.node_ref.pipeline.id(edge.to));
        return if ways.any(|to| !at.closed.contains(to)) {
            Next::NoRoute(no_route::reason(at))
        } else {
            Next::End
        };
    }
    retry_target(at.node_ref).map_or(Next::Stuck, Next::Go)
}

/// Steps 3 to 6.
fn chosen_edge<'a>(at: Crossing<'a>, notes: &mut Notes) -> Option<(&'a Edge, Rule)> {
    if let Some(edge) = conditional(at, notes) {
        return Some((edge, Rule::Condition));
    }
    let plain = || open_edges(at).filter(|edge| !edge.is_conditional());
    if let Some(label) = &at.outcome.preferred_label {
        let wanted = normal_label(label);
        let found = plain().find(|edge| {
            edge.label()
                .is_some_and(|label| normal_label(label) == wanted)
        });
        if let Some(edge) = found {
            return Some((edge, Rule::PreferredLabel));
        }
    }
    for id in &at.outcome.suggested_next_ids {
        if let Some(edge) = plain().find(|edge| at.node_ref.pipeline.id(edge.to) == id) {
            return Some((edge, Rule::SuggestedNext));
        }
    }
    let fallback = plain().next()?;
    let may = !at.outcome.status.is_failure()
        || analysis::may_take_failure(at.node_ref.pipeline, at.node_ref.ix, fallback);
    may.then_some((fallback, Rule::Unconditional))
}

/// The first edge whose condition holds.
fn conditional<'a>(at: Crossing<'a>, notes: &mut Notes) -> Option<&'a Edge> {
    let labels = labels(at.node_ref);
    open_edges(at)
        .filter(|edge| edge.condition.is_some())
        .find(|edge| holds(at, edge, Retries::Spent, &labels, notes))
}

/// The first edge that says `on_retry` and holds while retries remain.
pub(crate) fn on_retry(at: Crossing<'_>) -> Option<Way> {
    let labels = labels(at.node_ref);
    let mut notes = Notes::default();
    let edge = open_edges(at)
        .filter(|edge| {
            edge.condition.as_ref().is_some_and(|condition| {
                condition
                    .keywords()
                    .any(|keyword| keyword == Keyword::OnRetry)
            })
        })
        .find(|edge| holds(at, edge, Retries::Left, &labels, &mut notes))?;
    Some(way(at, edge, Rule::OnRetry, notes))
}

/// Whether any conditional edge would be taken with this outcome.
pub(crate) fn has_true_condition(at: Crossing<'_>) -> bool {
    conditional(at, &mut Notes::default()).is_some()
}

fn holds(
    at: Crossing<'_>,
    edge: &Edge,
    retries: Retries,
    labels: &[String],
    notes: &mut Notes,
) -> bool {
    let Some(Evaluation {
        value,
        clauses,
        warnings,
    }) = evaluation(at, edge, retries, labels)
    else {
        return false;
    };
    let to = at.node_ref.pipeline.id(edge.to);
    notes.warnings.extend(warnings);
    notes.clauses.extend(clauses.into_iter().map(|clause| {
        ClauseValue {
            to: to.to_owned(),
            text: clause.text,
            value: clause.value,
            operands: clause
                .operands
                .into_iter()
                .map(|(key, value)| (key, short(value.to_json())))
                .collect(),
        }
    }));
    value
}

/// Long texts are not worth repeating in every event.
fn short(value: serde_json::Value) -> serde_json::Value {
    const MOST: usize = 200;
    match value {
        serde_json::Value::String(text) if text.len() > MOST => {
            let cut: String = text.chars().take(MOST).collect();
            serde_json::Value::from(format!("{cut}…"))
        }
        serde_json::Value::Array(_) | serde_json::Value::Object(_) => {
            let text = value.to_string();
            if text.len() > MOST {
                let cut: String = text.chars().take(MOST).collect();
                serde_json::Value::from(format!("{cut}…"))
            } else {
                value
            }
        }
        other => other,
    }
}

/// Edges that may still be taken.
fn open_edges(at: Crossing<'_>) -> impl Iterator<Item = &Edge> {
    at.node_ref.outgoing().filter(move |edge| {
        !at.closed.contains(at.node_ref.pipeline.id(edge.to)) && !worn_out(at, edge)
    })
}

fn way(at: Crossing<'_>, edge: &Edge, rule: Rule, notes: Notes) -> Way {
    let on_exhaust = edge.condition.as_ref().is_some_and(|condition| {
        condition
            .keywords()
            .any(|keyword| keyword == Keyword::OnExhaust)
    });
    Way {
        to: at.node_ref.pipeline.id(edge.to).to_owned(),
        rule: if rule == Rule::Condition && on_exhaust {
            Rule::OnExhaust
        } else {
            rule
        },
        label: edge.label().map(str::to_owned),
        condition: edge.condition_text().map(str::to_owned),
        counted: edge_limit(at, edge).map(|(key, _)| key),
        restart: edge.loop_restart,
        carries: carried(edge),
        clauses: notes.clauses,
        warnings: notes.warnings,
    }
}

/// `fidelity` and `thread_id` of an edge, for the node it leads to.
pub(crate) fn carried(edge: &Edge) -> BTreeMap<String, String> {
    ["fidelity", "thread_id"]
        .into_iter()
        .filter_map(|name| {
            Some((
                name.to_owned(),
                edge.attributes.get(name)?.value().to_string(),
            ))
        })
        .collect()
}

/// Step 7: the node's targets, then the graph's.
pub(crate) fn retry_target(node_ref: NodeRef<'_>) -> Option<Way> {
    let target = analysis::retry_target(node_ref.pipeline, node_ref.ix)?;
    Some(Way::jump(node_ref.pipeline.id(target), Rule::RetryTarget))
}
