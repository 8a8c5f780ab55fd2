//! Notifications of ours, each sent only to clients that announced it in
//! `capabilities.experimental.attractor`. Nodes and questions are the engine's, in the casing of LSP.

use attractor_run::{Failure, Reality, RunState, TranscriptEntry};
use indexmap::IndexMap;
use lsp_types::notification::Notification;
use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::engine::{Node, Question, Usage};

/// `attractor/event`: every event of a run, in order and without holes (`events`).
#[derive(Debug)]
pub enum EventNotification {}

impl Notification for EventNotification {
    type Params = EventParams;
    const METHOD: &'static str = "attractor/event";
}

/// One event of one run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EventParams {
    /// The run.
    pub run: String,
    /// From 1, without holes.
    pub seq: u64,
    /// When it happened.
    pub time: String,
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The graph.
    pub graph: String,
    /// The event: `type` and its fields, as in the journal.
    pub event: Value,
    /// How a transcript shows it; `null` when it does not.
    #[cfg_attr(
        test,
        schemars(schema_with = "super::reference::transcript_entry", required)
    )]
    pub entry: Option<TranscriptEntry>,
}

/// `attractor/runState`: a snapshot of a run, at most ten a second, and once the newest run of each graph of a document
/// that is opened (`runState`).
#[derive(Debug)]
pub enum RunStateNotification {}

impl Notification for RunStateNotification {
    type Params = RunStateParams;
    const METHOD: &'static str = "attractor/runState";
}

/// A snapshot of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunStateParams {
    /// The run.
    pub run: String,
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The graph.
    pub graph: String,
    /// The name of the server it is on; missing for a run of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The state of the run.
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<RunState>"))]
    pub state: RunState,
    /// When it began.
    pub started_at: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// How many different nodes are done.
    pub done: u32,
    /// How many nodes the pipeline has.
    pub total: u32,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "super::reference::failure"))]
    pub failure: Option<Failure>,
    /// Whether resuming it can help: not where a limit of the run ended it.
    pub resumable: bool,
    /// Tokens and money so far.
    pub usage: Usage,
    /// How real it is.
    #[cfg_attr(test, schemars(schema_with = "super::reference::words_of_reality"))]
    pub reality: Reality,
    /// Whether any model is simulated or the run is dry: whether `reality` is not `real`.
    pub simulated: bool,
    /// The nodes that were reached.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Node>"))]
    pub nodes: IndexMap<String, Node>,
    /// The edges that were taken, in the order of their first time.
    pub taken: Vec<TakenEdge>,
}

/// An edge that a run has taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TakenEdge {
    /// The node it leaves.
    pub from: String,
    /// The node it leads to.
    pub to: String,
}

/// `attractor/question`: a human gate waits (`humanGate`).
#[derive(Debug)]
pub enum QuestionNotification {}

impl Notification for QuestionNotification {
    type Params = QuestionParams;
    const METHOD: &'static str = "attractor/question";
}

/// A question and where to show it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QuestionParams {
    /// The run.
    pub run: String,
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The name of the server the run is on; missing for a run of this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The gate's node.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// The question.
    pub question: Question,
}

/// `attractor/questionClosed`: a question no longer waits (`humanGate`).
#[derive(Debug)]
pub enum QuestionClosedNotification {}

impl Notification for QuestionClosedNotification {
    type Params = QuestionClosedParams;
    const METHOD: &'static str = "attractor/questionClosed";
}

/// How a question ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QuestionClosedParams {
    /// The run.
    pub run: String,
    /// The question.
    pub question: String,
    /// Who ended it: a user or `timeout`, `cancelled`; empty when it is not shown any more.
    pub by: String,
    /// The answer.
    pub answer: String,
}

/// `attractor/status`: the server in one line (`runState`).
#[derive(Debug)]
pub enum StatusNotification {}

impl Notification for StatusNotification {
    type Params = StatusParams;
    const METHOD: &'static str = "attractor/status";
}

/// The server in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatusParams {
    /// Whether something needs attention.
    pub health: Health,
    /// What.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Live runs.
    pub running: usize,
    /// Of these, runs that wait for a user.
    pub waiting: usize,
    /// The server of the setting `attractor.server.remote`; missing without one, and before its first answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteServer>,
}

/// The server elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RemoteServer {
    /// Its address, as in the setting.
    pub server: String,
    /// Whether it is reached and accepts the token; else `message` says what is wrong.
    pub connected: bool,
}

/// Whether something needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// All is well.
    Ok,
    /// It works, but look at the message.
    Warning,
    /// Something does not work.
    Error,
}
