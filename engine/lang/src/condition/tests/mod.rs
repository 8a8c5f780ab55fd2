//! Conditions as people write them: what they mean, what is wrong with them, what may hurt.

use std::collections::BTreeMap;

use super::*;
use crate::{Status, Value};

mod errors;
mod laws;
mod lists;
mod meaning;
mod reasons;
mod vectors;

/// A context, from JSON.
fn context(json: &serde_json::Value) -> BTreeMap<String, Value> {
    let entries = json.as_object().into_iter().flatten();
    entries
        .map(|(key, value)| (key.clone(), Value::from(value)))
        .collect()
}

fn evaluation(text: &str, status: Status, json: &serde_json::Value) -> Evaluation {
    let (condition, errors) = parse(text);
    assert_eq!(errors, [], "{text}");
    let labels = ["Ship".to_owned()];
    let context = context(json);
    evaluate(
        &condition,
        &Facts {
            context: &context,
            status,
            retries_left: false,
            labels: &labels,
        },
    )
}

#[track_caller]
fn holds(text: &str, json: &serde_json::Value) {
    assert!(
        evaluation(text, Status::Success, json).value,
        "{text} should hold in {json}"
    );
}

#[track_caller]
fn fails(text: &str, json: &serde_json::Value) {
    assert!(
        !evaluation(text, Status::Success, json).value,
        "{text} should not hold in {json}"
    );
}
