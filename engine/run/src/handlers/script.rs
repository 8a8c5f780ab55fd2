//! The outcomes of a dry run, as its caller gives them.

use std::collections::BTreeMap;

use attractor_machine::outcome::{FailureClass, Status};
use serde_json::Value;

/// Outcomes of a dry run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// By node, in order of its attempts; the last one repeats, and `success` is where nothing is said.
    pub outcomes: BTreeMap<String, Vec<ScriptedOutcome>>,
    /// What answers the nodes that call models and have no outcome here.
    pub models: ScriptedModels,
}

/// What answers prompts in a dry run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptedModels {
    /// Nothing: the nodes succeed.
    #[default]
    None,
    /// [`Launch::backends`](crate::Launch::backends), which must not call anything: they replay a recording.
    Backends,
}

/// What one attempt of a node results in, in a dry run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptedOutcome {
    /// Its status; without one, the status the node would have by itself.
    pub status: Option<Status>,
    /// Why it fails, when it does: `deterministic` without it.
    pub failure_class: Option<FailureClass>,
    /// The edge label it prefers.
    pub preferred_label: Option<String>,
    /// The node it insists on.
    pub next_node: Option<String>,
    /// What a command prints, or a model answers.
    pub output: Option<String>,
    /// Context keys it sets.
    pub set: BTreeMap<String, Value>,
}

impl From<Status> for ScriptedOutcome {
    fn from(status: Status) -> Self {
        Self {
            status: Some(status),
            ..Self::default()
        }
    }
}

impl ScriptedOutcome {
    /// Whether it says more than a status: such an outcome replaces the work of any kind of node.
    fn has_details(&self) -> bool {
        *self
            != Self {
                status: self.status.clone(),
                ..Self::default()
            }
    }

    /// Whether the node's own work is replaced, whatever its kind.
    pub(crate) fn replaces_work(&self) -> bool {
        self.has_details() || self.status.as_ref().is_some_and(Status::is_failure)
    }
}
