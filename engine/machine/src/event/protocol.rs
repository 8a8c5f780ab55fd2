//! The versions of the messages about runs, for the language server and the HTTP server.
//!
//! Version 2 has one vocabulary of states: that of [`RunState`] and [`NodeState`]. Version 1 had words of its own for
//! some of them. A client that asks for version 1 gets these.

use serde_json::Value;

use attractor_model::{NodeState, RunState};

/// A version of the messages about runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
// Exhaustive: a server that speaks another version has to be changed for it.
pub enum Protocol {
    /// `succeeded`, `failed`, `retrying`.
    V1,
    /// The words of [`RunState`] and [`NodeState`].
    #[default]
    V2,
}

/// Objects of a message with a `state` of their own.
const OBJECTS: [&str; 2] = ["event", "report"];
/// Lists and maps of such objects.
const COLLECTIONS: [&str; 2] = ["runs", "nodes"];

impl Protocol {
    /// Its number.
    pub const fn number(self) -> u32 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// The version with a number; `None` for an unknown one.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::V1),
            2 => Some(Self::V2),
            _ => None,
        }
    }

    /// A message of version 2 with the words for states of this version.
    pub fn translated(self, mut message: Value) -> Value {
        if self == Self::V1 {
            use_old_words(&mut message);
        }
        message
    }
}

fn use_old_words(message: &mut Value) {
    let Value::Object(fields) = message else {
        return;
    };
    for (name, value) in fields.iter_mut() {
        match (name.as_str(), &mut *value) {
            ("state", Value::String(state)) => {
                if let Some(old) = old_word(state) {
                    old.clone_into(state);
                }
            }
            ("visited", Value::Object(nodes)) => nodes.values_mut().for_each(use_old_outcome),
            (name, Value::Object(objects)) if COLLECTIONS.contains(&name) => {
                objects.values_mut().for_each(use_old_words);
            }
            (name, Value::Array(objects)) if COLLECTIONS.contains(&name) => {
                objects.iter_mut().for_each(use_old_words);
            }
            (name, object) if OBJECTS.contains(&name) => use_old_words(object),
            _ => {}
        }
    }
}

/// The word of version 1 for a state of a run or a node, where it is another one.
fn old_word(state: &str) -> Option<&'static str> {
    let is = |run: RunState, node: NodeState| state == run.name() || state == node.name();
    if is(RunState::Success, NodeState::Success)
        || state == NodeState::PartialSuccess.name()
        || state == NodeState::Skipped.name()
    {
        return Some("succeeded");
    }
    if is(RunState::Fail, NodeState::Fail) || state == RunState::Invalid.name() {
        return Some("failed");
    }
    if state == RunState::Paused.name() {
        return Some("waiting");
    }
    (state == NodeState::Pending.name()).then_some("retrying")
}

/// In a status report of version 1 a node that is under way was `pending`.
fn use_old_outcome(node: &mut Value) {
    let Some(outcome) = node.get_mut("outcome") else {
        return;
    };
    let Ok(state) = serde_json::from_value::<NodeState>(outcome.clone()) else {
        return;
    };
    let old = match state {
        state if state.is_active() => "pending",
        NodeState::PartialSuccess | NodeState::Skipped => "success",
        state => state.name(),
    };
    *outcome = Value::from(old);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn version_1_has_its_words() {
        let message = json!({
            "state": "success",
            "runs": [{ "state": "fail" }],
            "nodes": { "a": { "state": "partial_success" }, "state": { "state": "pending" } },
            "report": { "state": "waiting", "visited": { "a": { "outcome": "running" }, "b": { "outcome": "fail" } } },
            "context": { "state": "success" },
        });
        assert_eq!(Protocol::V2.translated(message.clone()), message);
        assert_eq!(
            Protocol::V1.translated(message),
            json!({
                "state": "succeeded",
                "runs": [{ "state": "failed" }],
                "nodes": { "a": { "state": "succeeded" }, "state": { "state": "retrying" } },
                "report": { "state": "waiting", "visited": { "a": { "outcome": "pending" }, "b": { "outcome": "fail" } } },
                "context": { "state": "success" },
            })
        );
    }

    #[test]
    fn numbers_name_versions() {
        for version in [Protocol::V1, Protocol::V2] {
            assert_eq!(Protocol::from_number(version.number()), Some(version));
        }
        assert_eq!(Protocol::from_number(3), None);
    }
}
