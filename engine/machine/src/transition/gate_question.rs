//! What a human gate asks and what an answer to it means: from its attributes and edges, without any state.

use std::collections::{BTreeSet, VecDeque};

use attractor_lang::condition::{Facts, evaluate};
use attractor_lang::{Lookup, Value};
use attractor_model::{NodeIx, Pipeline};

use super::Frame;
use crate::context::{View, text};
use crate::outcome::{Outcome, Status};
use crate::plan::{NodeRef, reachable};
use crate::question::new_question::{free_key, refuses};
use crate::question::{Question, QuestionKind, QuestionOption, Reading, bare_label};
use crate::transition::reasons;

/// What a gate asks, from its attributes and edges.
pub(super) fn gate_question(frame: &Frame, node_ref: NodeRef<'_>, view: View<'_>) -> Question {
    let options = gate_options(node_ref);
    let freeform = node_ref.outgoing().any(|edge| edge.freeform);
    let mode = node_ref
        .written("mode")
        .map(|word| word.trim().to_ascii_lowercase());
    let kind = match mode.as_deref() {
        // A way out for text stays open, whatever else is asked.
        Some("choice" | "multiple_choice") if !options.is_empty() && !freeform => {
            QuestionKind::Choice
        }
        Some("multi" | "multi_select") if !options.is_empty() => QuestionKind::Multi,
        Some("freeform" | "text") => QuestionKind::Freeform,
        Some("confirm" | "confirmation" | "yes_no") => QuestionKind::Confirm,
        // One freeform way out and nothing else: whatever is typed takes it.
        _ => match (
            !options.iter().any(|option| !option.freeform) && options.len() < 2,
            freeform,
        ) {
            (false, true) => QuestionKind::ChoiceOrText,
            (false, false) => QuestionKind::Choice,
            (true, true) => QuestionKind::Freeform,
            (true, false) => QuestionKind::Confirm,
        },
    };
    let written = node_ref
        .written("prompt")
        .or_else(|| node_ref.written("label"));
    let prompt = written.unwrap_or("Approve this step?");
    let mut question = Question {
        id: String::new(),
        node: frame.node.clone(),
        kind,
        text: text::plain(view, prompt),
        options: match kind {
            QuestionKind::Freeform => Vec::new(),
            QuestionKind::Confirm if options.len() != 2 => yes_and_no(node_ref),
            _ => options,
        },
        default: None,
        timeout_ms: None,
        deadline: None,
        reviewers: node_ref.node.attributes.list("reviewers"),
        evidence: None,
    };
    question.default = node_ref.written("human.default_choice").map(|written| {
        let option = question.option(written);
        option.map_or(written, |option| &option.key).to_owned()
    });
    question
}

fn yes_and_no(node_ref: NodeRef<'_>) -> Vec<QuestionOption> {
    [("Y", "Yes", true), ("N", "No", false)]
        .map(|(key, label, approves)| QuestionOption {
            key: key.to_owned(),
            label: label.to_owned(),
            to: way_on(node_ref, approves).map(|to| node_ref.pipeline.id(to).to_owned()),
            approves,
            freeform: false,
        })
        .to_vec()
}

/// Where a yes or a no leads: along the edge whose condition it fulfils; a yes also along one without a condition.
fn way_on(node_ref: NodeRef<'_>, approved: bool) -> Option<NodeIx> {
    let approval = Approval(approved);
    let facts = Facts {
        context: &approval,
        status: Status::Success,
        retries_left: false,
        labels: &[],
    };
    let conditional = node_ref.outgoing().find(|edge| {
        let condition = edge.condition.as_ref();
        condition.is_some_and(|condition| evaluate(condition, &facts).value)
    });
    let plain = || {
        let mut edges = node_ref.outgoing();
        edges.find(|edge| approved && !edge.is_conditional() && !edge.freeform)
    };
    conditional.or_else(plain).map(|edge| edge.to)
}

/// A context that holds nothing but an answer.
struct Approval(bool);

impl Lookup for Approval {
    fn get(&self, key: &str) -> Option<Value> {
        (key == "approved").then_some(Value::Bool(self.0))
    }
}

/// The labelled edges as the author wrote them, unless priority or weight says otherwise; else what
/// `options` lists. Keys are made unique.
fn gate_options(node_ref: NodeRef<'_>) -> Vec<QuestionOption> {
    let mut options: Vec<QuestionOption> = Vec::new();
    let from_edges: Vec<(String, Option<NodeIx>, bool)> = node_ref
        .outgoing_as_written()
        .into_iter()
        .filter_map(|edge| Some((edge.label()?.to_owned(), Some(edge.to), edge.freeform)))
        .filter(|(label, ..)| !label.trim().is_empty())
        .collect();
    let choices = if from_edges.iter().any(|(.., freeform)| !freeform) {
        from_edges
    } else {
        let listed = node_ref.node.attributes.list("options").into_iter();
        let listed = listed.map(|label| (label, None, false));
        listed.chain(from_edges).collect()
    };
    for (label, to, freeform) in choices {
        if options.iter().any(|option| option.label == label) {
            continue;
        }
        let key = free_key(&label, &options.iter().map(|option| option.key.as_str()));
        options.push(QuestionOption {
            key,
            approves: !refuses(&label) && !to.is_some_and(|to| leads_back(node_ref, to)),
            to: to.map(|to| node_ref.pipeline.id(to).to_owned()),
            label,
            freeform,
        });
    }
    options
}

/// Whether a choice leads back: only its edge leads to the gate again, or, if all edges do, its target is on a
/// path from the start to the gate.
fn leads_back(node_ref: NodeRef<'_>, to: NodeIx) -> bool {
    let returns = |node| reachable(node_ref.pipeline, node, None).contains(&node_ref.ix);
    if !returns(to) {
        return false;
    }
    let others = node_ref.outgoing().filter(|edge| edge.to != to);
    if others.into_iter().any(|edge| !returns(edge.to)) {
        return true;
    }
    let before = distance_from_start(node_ref.pipeline, to);
    let gate = distance_from_start(node_ref.pipeline, node_ref.ix);
    matches!((before, gate), (Some(before), Some(gate)) if before < gate)
}

fn distance_from_start(pipeline: &Pipeline, to: NodeIx) -> Option<u32> {
    let start = pipeline.start?;
    let mut seen = BTreeSet::from([start]);
    let mut open = VecDeque::from([(start, 0)]);
    while let Some((at, distance)) = open.pop_front() {
        if at == to {
            return Some(distance);
        }
        for next in pipeline.successors(at) {
            if seen.insert(next) {
                open.push_back((next, distance + 1));
            }
        }
    }
    None
}

/// The effect of an answer.
pub(super) fn gate_outcome(
    node_ref: NodeRef<'_>,
    asked: &Question,
    chosen: &[&QuestionOption],
    reading: &Reading,
    by: &str,
) -> Outcome {
    let mut outcome = Outcome::success();
    let set = &mut outcome.context_updates;
    let text = reading.text.clone().unwrap_or_default();
    if let Some(first) = chosen.first() {
        let keys: Vec<&str> = chosen.iter().map(|option| option.key.as_str()).collect();
        let labels: Vec<&str> = chosen
            .iter()
            .map(|option| bare_label(&option.label))
            .collect();
        set.insert("human.gate.selected".to_owned(), keys.join(",").into());
        set.insert("human.gate.label".to_owned(), labels.join(", ").into());
        outcome.preferred_label = Some(first.label.clone());
        outcome.output = labels.join(", ").into();
    } else {
        outcome.output = text.as_str().into();
        outcome.suggested_next_ids = node_ref
            .outgoing()
            .filter(|edge| edge.freeform && !edge.is_conditional())
            .map(|edge| node_ref.pipeline.id(edge.to).to_owned())
            .collect();
    }
    let approved = chosen.iter().all(|option| option.approves);
    set.insert("approved".to_owned(), approved.into());
    if !text.is_empty() || asked.kind == QuestionKind::Freeform {
        set.insert("human.gate.text".to_owned(), text.into());
    }
    if let Some(key) = node_ref.written("output_key") {
        set.insert(key.to_owned(), outcome.output.clone());
    }
    outcome.notes = reasons::answered_by(outcome.output.as_str().unwrap_or_default(), by);
    outcome
}
