//! `reasoning_details`: the reasoning of a model as `OpenRouter` passes it on, with its signatures or encrypted. A later
//! request repeats it unchanged, else models that sign their reasoning refuse their own calls.

use serde_json::{Map, Value};

/// The key of the provider's state that holds the details.
const KEY: &str = "reasoning_details";

/// Fields whose text continues in later pieces.
const TEXTS: [&str; 3] = ["text", "summary", "data"];

/// The details so far.
#[derive(Debug, Default)]
pub(super) struct ReasoningDetails(Vec<Value>);

impl ReasoningDetails {
    /// Takes what one chunk has of them: a piece of the same detail continues it.
    pub(super) fn push(&mut self, pieces: Vec<Value>) {
        for piece in pieces {
            match (self.0.last_mut(), piece) {
                (Some(Value::Object(open)), Value::Object(piece)) if is_same(open, &piece) => {
                    extend(open, piece);
                }
                (_, piece) => self.0.push(piece),
            }
        }
    }

    /// The state of a part that holds them; `None` without any.
    pub(super) fn take(&mut self) -> Option<Value> {
        let details = std::mem::take(&mut self.0);
        (!details.is_empty())
            .then(|| Value::Object(Map::from_iter([(KEY.to_owned(), details.into())])))
    }
}

/// Adds the details in the state of a part to the fields of a message.
pub(super) fn repeat(state: &Value, fields: &mut Map<String, Value>) {
    let Some(Value::Array(details)) = state.get(KEY) else {
        return;
    };
    let all = fields
        .entry(KEY)
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(all) = all {
        all.extend(details.iter().cloned());
    }
}

/// Whether a piece belongs to the detail in progress. An encrypted detail is never in pieces.
fn is_same(open: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    let is_alike = |key: &str| open.get(key) == piece.get(key);
    let is_encrypted = piece
        .get("type")
        .and_then(Value::as_str)
        .is_none_or(|kind| kind == "reasoning.encrypted");
    is_alike("type") && is_alike("index") && !is_encrypted
}

fn extend(open: &mut Map<String, Value>, piece: Map<String, Value>) {
    for (key, value) in piece {
        match (open.get_mut(&key), value) {
            (Some(Value::String(text)), Value::String(more)) if TEXTS.contains(&key.as_str()) => {
                text.push_str(&more);
            }
            (_, Value::Null) => {}
            (_, value) => {
                open.insert(key, value);
            }
        }
    }
}
