//! Fan-in nodes: which branch did best, by `score_key`, then by result, then by name.
//!
//! With `merge`, what the best branch wrote, or what all wrote, becomes the context of the run: `BRANCH.KEY` is
//! also `KEY`. Without it nothing of a branch is taken for the run's own.
//!
//! With a prompt, a model is asked instead, with the results of the branches; its answer names a branch or leaves the
//! ranking as it is, which the notes say.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use attractor_machine::outcome::{FailureClass, Outcome, Status};
use serde_json::{Value, json};

use super::{Prepared, Work, codergen, fail};

/// How much of the output of a branch the model sees, in characters.
const SHOWN: usize = 8_000;

pub(super) fn prepare(work: Work<'_>) -> Prepared {
    let Some(Value::Array(branches)) = work.view.json("parallel.branches") else {
        return fail(
            FailureClass::Deterministic,
            format!(
                "`{}` gathers the results of a parallel node, and none has run before it",
                work.frame.node
            ),
        );
    };
    let ranked = rank(work, branches);
    let merge = Merge::of(work, &ranked);
    let outcome = merge.add_to(&ranked, gathered(&ranked));
    let nothing_to_ask = ranked.is_empty() || outcome.status.is_failure();
    if work.node_ref.written("prompt").is_none() || nothing_to_ask {
        return Prepared::ready(outcome);
    }
    match codergen::prepare_with(work, &results(&ranked)) {
        Prepared::Ready(failed) => Prepared::Ready(failed),
        Prepared::Task(ask) => Prepared::Task(Box::new(move |env| {
            Box::pin(async move {
                let answer = ask(env).await;
                if answer.status.is_failure() {
                    return answer;
                }
                let (ranked, outcome) = choose(ranked, &answer);
                merge.add_to(&ranked, outcome)
            })
        })),
    }
}

/// The results of the branches, for the model that is asked.
fn results(branches: &[Value]) -> String {
    let mut text = "\n\n## Results of the branches\n".to_owned();
    for branch in branches {
        let output = match branch.get("output") {
            Some(Value::String(output)) => output.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let score = branch.get("score").map(|score| format!(", score {score}"));
        let _ = write!(
            text,
            "\n### {}: {}{}\n{}\n",
            id_of(branch),
            status_of(branch).name(),
            score.unwrap_or_default(),
            shortened(output.trim())
        );
    }
    let ids: Vec<&str> = branches.iter().map(id_of).collect();
    let _ = write!(
        text,
        "\nAnswer with the name of the best branch ({}), and why.",
        ids.join(", ")
    );
    text
}

/// The beginning and the end of a long text.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= SHOWN {
        return text.to_owned();
    }
    let head: String = text.chars().take(SHOWN / 2).collect();
    let tail: String = text.chars().skip(length - SHOWN / 2).collect();
    format!(
        "{head}\n[… {} characters left out …]\n{tail}",
        length - SHOWN
    )
}

fn rank(work: Work<'_>, mut branches: Vec<Value>) -> Vec<Value> {
    let score_key = work.node_ref.written("score_key").unwrap_or("score");
    let score = |branch: &Value| -> f64 {
        let id = id_of(branch);
        work.view
            .json(&format!("{id}.{score_key}"))
            .or_else(|| branch.get("score").cloned())
            .and_then(|value| match value {
                Value::Number(number) => number.as_f64(),
                Value::String(text) => text.trim().parse().ok(),
                _ => None,
            })
            .unwrap_or(0.0)
    };
    branches.sort_by(|left, right| {
        let place = |branch| match status_of(branch) {
            Status::Success => 0,
            Status::PartialSuccess | Status::Custom(_) => 1,
            Status::Retry | Status::Skipped => 2,
            Status::Fail => 3,
        };
        place(left)
            .cmp(&place(right))
            .then_with(|| {
                score(right)
                    .partial_cmp(&score(left))
                    .unwrap_or(Ordering::Equal)
            })
            .then_with(|| id_of(left).cmp(id_of(right)))
    });
    branches
}

fn gathered(ranked: &[Value]) -> Outcome {
    let Some(best) = ranked.first() else {
        return Outcome::default();
    };
    let status = status_of(best);
    let mut outcome = Outcome::success()
        .with("parallel.fan_in.best_id", id_of(best))
        .with("parallel.fan_in.best_outcome", status.name());
    outcome.output = best.get("output").cloned().unwrap_or_default();
    outcome.notes = format!("best of {}: {}", ranked.len(), id_of(best));
    let failed = ranked
        .iter()
        .filter(|branch| status_of(branch).is_failure());
    let failed: Vec<&str> = failed.map(id_of).collect();
    if !failed.is_empty() {
        let _ = write!(outcome.notes, "; failed: {}", failed.join(", "));
    }
    if status.is_failure() {
        outcome.status = Status::Fail;
        outcome.failure_class = Some(FailureClass::Deterministic);
        outcome.failure_reason = Some("every branch failed".to_owned());
    }
    outcome
}

/// Whose keys become the run's own, and what each branch wrote.
struct Merge {
    output_key: Option<String>,
    all: bool,
    written: BTreeMap<String, Vec<(String, Value)>>,
}

impl Merge {
    fn of(work: Work<'_>, branches: &[Value]) -> Self {
        let wanted = work.node_ref.written("merge").map(str::to_ascii_lowercase);
        let taken = match wanted.as_deref().map(str::trim) {
            Some("best" | "all") => branches,
            _ => &[],
        };
        let written = taken.iter().map(|branch| {
            let id = id_of(branch);
            (id.to_owned(), work.view.below(id))
        });
        Self {
            output_key: work.node_ref.written("output_key").map(str::to_owned),
            all: wanted.is_some_and(|word| word.trim() == "all"),
            written: written.collect(),
        }
    }

    /// Adds what the branches wrote; where several wrote the same key, the better one counts.
    fn add_to(&self, ranked: &[Value], mut outcome: Outcome) -> Outcome {
        let taken = if self.all { ranked.len() } else { 1 };
        let written = ranked.iter().take(taken).rev();
        for (key, value) in written
            .filter_map(|branch| self.written.get(id_of(branch)))
            .flatten()
        {
            outcome.context_updates.insert(key.clone(), value.clone());
        }
        if let Some(key) = &self.output_key {
            let output = outcome.output.clone();
            outcome.context_updates.insert(key.clone(), output);
        }
        outcome
    }
}

/// The branch the answer names, else the best by rank; the branches in that order.
fn choose(mut ranked: Vec<Value>, answer: &Outcome) -> (Vec<Value>, Outcome) {
    let text = answer.output.as_str().unwrap_or_default();
    let mut words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    // The first one it names: the others may be part of the reason.
    let named = words.find_map(|word| ranked.iter().position(|branch| word == id_of(branch)));
    if let Some(place) = named {
        let chosen = ranked.remove(place);
        ranked.insert(0, chosen);
    }
    let mut outcome = gathered(&ranked);
    if named.is_none() {
        outcome.notes += "; the model named no branch, so score and result decided";
    }
    outcome.usage = answer.usage;
    outcome
        .context_updates
        .insert("last_response".to_owned(), json!(text));
    (ranked, outcome)
}

fn id_of(branch: &Value) -> &str {
    branch.get("id").and_then(Value::as_str).unwrap_or_default()
}

fn status_of(branch: &Value) -> Status {
    Status::parse(
        branch
            .get("status")
            .and_then(Value::as_str)
            .unwrap_or("fail"),
    )
}
