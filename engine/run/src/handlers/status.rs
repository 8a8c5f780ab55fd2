//! Outcomes that models decide themselves: `status.json` in the stage directory, or a fenced JSON block
//! with a known `outcome` at the end of the answer.

use std::path::Path;

use serde_json::Value;

use crate::outcome::{FailureClass, Outcome, Status};

/// Reads `status.json`, if the stage wrote one that can be read.
pub(super) async fn from_file(stage_dir: &Path) -> Option<Value> {
    let text = tokio::fs::read(stage_dir.join("status.json")).await.ok()?;
    serde_json::from_slice(&text).ok().filter(says_outcome)
}

/// Reads the last fenced block of an answer, or an answer that is nothing but JSON.
pub(super) fn from_answer(answer: &str) -> Option<Value> {
    let trimmed = answer.trim();
    let block = match trimmed.strip_suffix("```") {
        Some(body) => {
            let (_, block) = body.rsplit_once("```")?;
            block.split_once('\n').map_or(block, |(_, json)| json)
        }
        None => trimmed,
    };
    serde_json::from_str(block.trim()).ok().filter(says_outcome)
}

fn says_outcome(value: &Value) -> bool {
    word(value).is_some()
}

fn word(value: &Value) -> Option<&str> {
    value
        .get("outcome")
        .or_else(|| value.get("status"))
        .and_then(Value::as_str)
        .filter(|word| !word.trim().is_empty())
}

/// Puts what a stage says about itself into its outcome.
pub(super) fn apply(value: &Value, outcome: &mut Outcome) {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(word) = word(value) {
        outcome.status = Status::parse(word);
    }
    outcome.preferred_label = text("preferred_label")
        .or_else(|| text("preferred_next_label"))
        .filter(|label| !label.is_empty());
    outcome.next_node = text("next_node").filter(|node| !node.is_empty());
    if let Some(ids) = value.get("suggested_next_ids").and_then(Value::as_array) {
        outcome.suggested_next_ids = ids
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
    }
    if let Some(updates) = value.get("context_updates").and_then(Value::as_object) {
        for (key, value) in updates {
            outcome.context_updates.insert(key.clone(), value.clone());
        }
    }
    if let Some(notes) = text("notes") {
        outcome.notes = notes;
    }
    if outcome.status.is_failure() {
        outcome.failure_class = value
            .get("failure_class")
            .and_then(|class| serde_json::from_value(class.clone()).ok())
            .or(Some(FailureClass::Deterministic));
        outcome.failure_reason = text("failure_reason").or_else(|| text("notes"));
    }
}
