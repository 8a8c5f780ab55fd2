//! Outcomes that models decide themselves: `status.json` in the stage directory, or a fenced JSON block
//! with a known `outcome` at the end of the answer.

use std::path::Path;

use attractor_machine::outcome::{FailureClass, Outcome, Status};
use serde_json::Value;

/// Reads `status.json`, if the stage wrote one that can be read. A dry run has no directory.
pub(super) async fn from_file(stage_dir: &Path) -> Option<Value> {
    if stage_dir.as_os_str().is_empty() {
        return None;
    }
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
    // A `status` alone may be what the answer is about.
    let says = |value: &Value| says_outcome(value) && value.get("outcome").is_some();
    serde_json::from_str(block.trim()).ok().filter(says)
}

/// What a routing answer may say.
const ROUTING: &[&str] = &[
    "outcome",
    "preferred_label",
    "preferred_next_label",
    "next_node",
    "suggested_next_ids",
    "context_updates",
    "context_deletes",
    "failure_reason",
];

/// Reads the last JSON object of a command's output that says where to continue (`output_schema=routing`).
pub(super) fn from_output(output: &str) -> Option<Value> {
    let starts = output.rmatch_indices('{').map(|(at, _)| at);
    let objects = starts.take(OBJECTS).filter_map(|at| {
        let rest = output.get(at..)?;
        let mut found = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let value = found.next()?.ok()?;
        Some((at + found.byte_offset(), at, value))
    });
    // An object inside another one ends before it does.
    let says = |value: &Value| ROUTING.iter().any(|name| value.get(name).is_some());
    objects
        .filter(|(.., value)| says(value))
        .max_by_key(|(end, at, _)| (*end, std::cmp::Reverse(*at)))
        .map(|(.., value)| value)
}

/// How many braces of an output are tried, from its end.
const OBJECTS: usize = 256;

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
    let texts = |name: &str| -> Option<Vec<String>> {
        let list = value.get(name)?.as_array()?.iter();
        Some(list.filter_map(Value::as_str).map(str::to_owned).collect())
    };
    if let Some(ids) = texts("suggested_next_ids") {
        outcome.suggested_next_ids = ids;
    }
    if let Some(keys) = texts("context_deletes") {
        outcome.context_deletes = keys;
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_object_that_routes() {
        for (output, expected) in [
            ("", None),
            ("no json { at all", None),
            ("{\"a\": 1}", None),
            (
                "log {x}\n{\"outcome\": \"failed\"}\nend",
                Some(json!({"outcome": "failed"})),
            ),
            (
                "{\"outcome\":\"failed\"} {\"context_updates\":{\"outcome\":\"x\"}}",
                Some(json!({"context_updates": {"outcome": "x"}})),
            ),
            (
                "{\"preferred_next_label\":\"Fix {it}\"} {\"other\":1}",
                Some(json!({"preferred_next_label": "Fix {it}"})),
            ),
        ] {
            assert_eq!(from_output(output), expected, "{output}");
        }
    }
}
