//! Commands that start runs and act on them.

use std::collections::BTreeMap;

use attractor_run::{ModeName, RunState};
use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ways::OutcomeArg;

/// What `attractor.run` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The pipeline; may be left out when the document holds one.
    #[serde(default)]
    pub graph: Option<String>,
    /// Values for the pipeline's `vars`.
    #[serde(default)]
    pub inputs: BTreeMap<String, Value>,
    /// The node to begin with instead of the start node.
    #[serde(default)]
    pub from: Option<String>,
    /// What is real.
    #[serde(default)]
    pub mode: RunMode,
    /// Outcomes of nodes in a dry run, in order of their attempts, each a status or as in a way; the last one repeats.
    #[serde(default)]
    #[cfg_attr(
        test,
        schemars(with = "BTreeMap<String, Vec<super::ways::WayOutcome>>")
    )]
    pub outcomes: BTreeMap<String, Vec<OutcomeArg>>,
    /// Answers of gates in a dry run, in order of their visits; the last one repeats.
    #[serde(default)]
    pub answers: BTreeMap<String, Vec<String>>,
}

/// What is real in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RunMode {
    /// Everything the configuration allows.
    #[default]
    Run,
    /// Models are simulated, the rest is real.
    Simulate,
    /// Nothing: the graph is walked.
    DryRun,
}

impl From<ModeName> for RunMode {
    fn from(mode: ModeName) -> Self {
        match mode {
            ModeName::Run => Self::Run,
            ModeName::Simulate => Self::Simulate,
            ModeName::DryRun => Self::DryRun,
        }
    }
}

/// What `attractor.run` and `attractor.resume` answer: the run, or that the user is asked first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunResult {
    /// The run that has started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// `true` when the user is being asked; on a yes the run starts by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
}

impl RunResult {
    /// The run has started.
    pub(crate) fn started(run: String) -> Self {
        Self {
            run: Some(run),
            asked: false,
        }
    }

    /// The user is being asked.
    pub(crate) fn asked() -> Self {
        Self {
            run: None,
            asked: true,
        }
    }
}

/// What `attractor.resume` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResumeArgs {
    /// The run.
    pub run: String,
    /// The secrets among its inputs, which are not stored.
    #[serde(default)]
    pub inputs: BTreeMap<String, Value>,
    /// What to do when the pipeline has changed since the run started.
    #[serde(default)]
    pub changes: OnChanges,
}

/// What to do when the pipeline of a run has changed since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OnChanges {
    /// Refuse, show the user what changed, and resume if they agree.
    #[default]
    Ask,
    /// Resume with the pipeline as it is now.
    Accept,
    /// Refuse.
    Refuse,
}

/// What `attractor.fork` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ForkArgs {
    /// The run; it stays as it is.
    pub run: String,
    /// The node to begin at; not one of a sub-pipeline or a parallel branch.
    pub node: String,
    /// The visit of the node, from 1; else the last one.
    #[serde(default)]
    pub visit: Option<u32>,
    /// Other values in the context, and the secrets among its inputs, which are not stored.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
    /// What to do about files that are not as they were.
    #[serde(default)]
    pub files: FilesOfFork,
}

/// What to do about files that are not as they were when a node was entered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum FilesOfFork {
    /// Refuse, ask the user what to do, and fork if they choose one of the ways.
    Ask,
    /// Refuse, with the code `filesDiffer`.
    #[default]
    Refuse,
    /// Use them as they are.
    Keep,
    /// Give them the content of that moment; the present content is stored.
    Restore,
}

/// What `attractor.cancel` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CancelArgs {
    /// The run.
    pub run: String,
}

/// What `attractor.cancel` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CancelResult {
    /// The run.
    pub run: String,
    /// Its state before it noticed.
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<RunState>"))]
    pub state: RunState,
}

/// What `attractor.answer` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerArgs {
    /// The run.
    pub run: String,
    /// The question.
    pub question: String,
    /// An option's key or label, `yes`, `no`, or, where the question takes text, the text.
    #[serde(default)]
    pub answer: Option<String>,
    /// Free text that goes with it.
    #[serde(default)]
    pub text: Option<String>,
}

/// What `attractor.answer` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerResult {
    /// Whether this answer counted; `false` when someone was first.
    pub accepted: bool,
    /// Who was first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// What `attractor.steer` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SteerArgs {
    /// The run.
    pub run: String,
    /// A node that calls a model; `GRAPH/NODE` in a sub-pipeline.
    pub node: String,
    /// Message for the model.
    pub message: String,
}

/// What `attractor.steer` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SteerResult {
    /// Always `true`: the message is in the journal, and the next prompt of the node has it.
    pub queued: bool,
}
