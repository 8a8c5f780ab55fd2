//! Commands that list runs and read them.

use attractor_run::{Reality, RunState};
use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::engine::Usage;
use super::run_control::RunMode;

/// What `attractor.runs` takes.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunsArgs {
    /// Only runs of this document.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub uri: Option<Uri>,
    /// At most so many, newest first.
    #[serde(default)]
    pub limit: Option<usize>,
}

/// What `attractor.runs` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunsResult {
    /// The runs, newest first; each is followed by the runs of its sub-pipelines.
    pub runs: Vec<RunRow>,
}

/// One run of [`RunsResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// The run; that of a sub-pipeline is named `RUN/CHILD`.
    pub run: String,
    /// The run that started it, of the run of a sub-pipeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The name of the server it is on; missing for a run of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The pipeline's display name.
    pub pipeline: String,
    /// Its document.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub uri: Option<Uri>,
    /// Its graph.
    pub graph: String,
    /// Its state.
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<RunState>"))]
    pub state: RunState,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// The current node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Steps taken.
    pub steps: u64,
    /// Different nodes that are done.
    pub done: u32,
    /// Nodes of the pipeline.
    pub nodes: u32,
    /// What it was started as.
    pub mode: RunMode,
    /// How real it is.
    #[cfg_attr(test, schemars(schema_with = "super::reference::words_of_reality"))]
    pub reality: Reality,
    /// Tokens and money.
    pub usage: Usage,
}

/// What `attractor.events` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EventsArgs {
    /// The run, or `RUN/CHILD` for that of a sub-pipeline.
    pub run: String,
    /// The last sequence number already seen.
    #[serde(default)]
    pub after: u64,
}

/// What `attractor.events` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EventsResult {
    /// The events after `after`, in order, each with its `entry` in a transcript.
    pub events: Vec<Value>,
    /// The sequence number of the last one.
    pub last: u64,
}

/// What `attractor.report` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportArgs {
    /// The run, or `RUN/CHILD` for that of a sub-pipeline.
    pub run: String,
}

/// What `attractor.report` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportResult {
    /// The status report, with the names of the engine.
    pub report: Value,
    /// The same in lines for people.
    pub text: String,
}

/// What `attractor.log` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LogArgs {
    /// The run.
    pub run: String,
    /// One node; else the whole run.
    #[serde(default)]
    pub node: Option<String>,
    /// One attempt of the node, from 1; else the last.
    #[serde(default)]
    pub attempt: Option<u32>,
}

/// What `attractor.log` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LogResult {
    /// A document to show; it is not to be edited.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
}
