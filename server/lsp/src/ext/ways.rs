//! The ways a dry run can take.

use std::collections::BTreeMap;

use attractor_run::{RunState, ScriptedOutcome, Status};
use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What `attractor.ways` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WaysArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The pipeline; may be left out when the document holds one.
    #[serde(default)]
    pub graph: Option<String>,
    /// Values for the pipeline's `vars`; they narrow the ways.
    #[serde(default)]
    pub inputs: BTreeMap<String, Value>,
    /// Outcomes of nodes, in order of their attempts, each a status or as in a way; they narrow the ways.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Vec<WayOutcome>>"))]
    pub outcomes: BTreeMap<String, Vec<OutcomeArg>>,
    /// Answers of gates, in order of their visits; they narrow the ways.
    #[serde(default)]
    pub answers: BTreeMap<String, Vec<String>>,
}

/// What `attractor.ways` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WaysResult {
    /// The ways; the first one is what a dry run shows.
    pub ways: Vec<Way>,
}

/// A way through a pipeline.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Way {
    /// What decides, in words: `test fails, then succeeds`.
    pub decided_by: String,
    /// The outcomes of nodes, in order of their attempts. A dry run takes them as they are.
    pub outcomes: BTreeMap<String, Vec<WayOutcome>>,
    /// The answers of gates, in order of their visits.
    pub answers: BTreeMap<String, Vec<String>>,
    /// First values of the context.
    pub inputs: BTreeMap<String, Value>,
    /// The nodes it enters, in order; where it goes round without an end, up to the end of the first round.
    pub path: Vec<String>,
    /// The nodes that it repeats until a limit of the whole run ends it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<String>,
    /// How it ends.
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<RunState>"))]
    pub state: RunState,
    /// Why it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What an attempt of a node results in on a way.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct WayOutcome {
    /// Its status; without one, the status that the node has by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The edge label it prefers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_label: Option<String>,
    /// The node it insists on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_node: Option<String>,
    /// What a command prints, or a model answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Context keys it sets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Value>,
}

/// What an attempt of a node results in, as a client gives it: a status, or all of an outcome.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OutcomeArg {
    /// A status.
    Status(String),
    /// An outcome of a way.
    Outcome(WayOutcome),
}

impl From<OutcomeArg> for ScriptedOutcome {
    fn from(arg: OutcomeArg) -> Self {
        let outcome = match arg {
            OutcomeArg::Status(word) => return Status::from(word).into(),
            OutcomeArg::Outcome(outcome) => outcome,
        };
        Self {
            status: outcome.status.map(Status::from),
            preferred_label: outcome.preferred_label,
            next_node: outcome.next_node,
            output: outcome.output,
            set: outcome.set,
            ..Self::default()
        }
    }
}

impl From<ScriptedOutcome> for WayOutcome {
    fn from(outcome: ScriptedOutcome) -> Self {
        Self {
            status: outcome.status.map(|status| status.name().to_owned()),
            preferred_label: outcome.preferred_label,
            next_node: outcome.next_node,
            output: outcome.output,
            set: outcome.set,
        }
    }
}
