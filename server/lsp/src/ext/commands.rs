//! `workspace/executeCommand`: every command with the object it takes and the object it answers.
//!
//! All commands answer at once; none waits for a run, a user or the client.

use std::collections::BTreeMap;

use attractor_run::{ModeName, NodeState, RunState};
use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::engine::Usage;
pub use super::file_changes::{ChangedFile, DiffArgs, DiffResult, RevertArgs, RevertResult};
pub use super::providers::{Provider, ProvidersArgs, ProvidersResult};
pub use super::scenarios::{
    CoveredEdge, CoveredNode, TestArgs, TestCoverage, TestFailure, TestProblem, TestResult,
    TestScenario,
};

/// Every command, as announced in `executeCommandProvider`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Command {
    /// Start a run: [`RunArgs`] → [`RunResult`].
    Run,
    /// Resume an unfinished run: [`ResumeArgs`] → [`RunResult`].
    Resume,
    /// Start a new run where another one entered a node: [`ForkArgs`] → [`RunResult`].
    Fork,
    /// Stop a run: [`CancelArgs`] → [`CancelResult`].
    Cancel,
    /// Answer a human gate: [`AnswerArgs`] → [`AnswerResult`].
    Answer,
    /// Send a message to a node that runs: [`SteerArgs`] → [`SteerResult`].
    Steer,
    /// List runs: [`RunsArgs`] → [`RunsResult`].
    Runs,
    /// Events of a run that were missed: [`EventsArgs`] → [`EventsResult`].
    Events,
    /// Where a run is: [`ReportArgs`] → [`ReportResult`].
    Report,
    /// What a run or a node changed in the files: [`DiffArgs`] → [`DiffResult`].
    Diff,
    /// Undo what a run or a node changed in the files: [`RevertArgs`] → [`RevertResult`].
    Revert,
    /// A readable log of a run or a node: [`LogArgs`] → [`LogResult`].
    Log,
    /// A graph as data and clean DOT: [`GraphArgs`] → [`GraphResult`].
    Graph,
    /// Everything a run can do, to be read: [`ConsentArgs`] → [`ConsentResult`].
    Consent,
    /// Decide about trust beforehand: [`TrustArgs`] → [`TrustResult`].
    Trust,
    /// The reference page of a name: [`ExplainArgs`] → [`ExplainResult`].
    Explain,
    /// Every diagnostic of a document: [`ValidateArgs`] → [`ValidateResult`].
    Validate,
    /// The scenarios of a pipeline: [`TestArgs`] → [`TestResult`].
    Test,
    /// A pipeline from a template: [`NewArgs`] → [`NewResult`].
    New,
    /// The providers of models, and where their keys come from: [`ProvidersArgs`] → [`ProvidersResult`].
    Providers,
}

/// One row of [`COMMANDS`].
#[derive(Debug, Clone, Copy)]
pub struct CommandRow {
    /// The command.
    pub command: Command,
    /// Its name on the wire.
    pub name: &'static str,
    /// The shape of its argument, for error messages.
    pub takes: &'static str,
}

/// The commands this server knows.
pub const COMMANDS: &[CommandRow] = &[
    row(
        Command::Run,
        "attractor.run",
        "{uri, graph?, inputs?, from?, mode?: \"run\"|\"simulate\"|\"dryRun\"}",
    ),
    row(
        Command::Resume,
        "attractor.resume",
        "{run, inputs?, changes?: \"ask\"|\"accept\"|\"refuse\"}",
    ),
    row(
        Command::Fork,
        "attractor.fork",
        "{run, node, visit?, set?, files?: \"refuse\"|\"keep\"|\"restore\"}",
    ),
    row(Command::Cancel, "attractor.cancel", "{run}"),
    row(
        Command::Answer,
        "attractor.answer",
        "{run, question, answer?, text?}",
    ),
    row(Command::Steer, "attractor.steer", "{run, node, message}"),
    row(Command::Runs, "attractor.runs", "{uri?, limit?}"),
    row(Command::Events, "attractor.events", "{run, after?}"),
    row(Command::Report, "attractor.report", "{run}"),
    row(
        Command::Diff,
        "attractor.diff",
        "{run, node?, visit?, contents?}",
    ),
    row(Command::Revert, "attractor.revert", "{run, node?, visit?}"),
    row(Command::Log, "attractor.log", "{run, node?, attempt?}"),
    row(Command::Graph, "attractor.graph", "{uri, graph?}"),
    row(Command::Consent, "attractor.consent", "{uri, graph?}"),
    row(
        Command::Trust,
        "attractor.trust",
        "{uri, decision: \"once\"|\"version\"|\"folder\"|\"revoke\"}",
    ),
    row(Command::Explain, "attractor.explain", "{name}"),
    row(Command::Validate, "attractor.validate", "{uri}"),
    row(Command::Test, "attractor.test", "{uri, names?, list?}"),
    row(Command::New, "attractor.new", "{template, uri}"),
    row(Command::Providers, "attractor.providers", "{}"),
];

const fn row(command: Command, name: &'static str, takes: &'static str) -> CommandRow {
    CommandRow {
        command,
        name,
        takes,
    }
}

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
    /// Other values in the context.
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
    /// What the model is to know.
    pub message: String,
}

/// What `attractor.steer` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SteerResult {
    /// Always `true`: the message is in the journal, and the next prompt of the node has it.
    pub queued: bool,
}

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
    /// What was real in it.
    pub mode: RunMode,
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
    /// The events after `after`, in order.
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

/// What `attractor.graph` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The graph; else the first pipeline, else the first graph.
    #[serde(default)]
    pub graph: Option<String>,
}

/// What `attractor.graph` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphResult {
    /// Clean Graphviz DOT written from the tree, with stable ids.
    pub dot: String,
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
    /// Whether it is a pipeline; else a plain graph.
    pub pipeline: bool,
    /// The version of the document this was drawn from.
    pub version: i32,
}

/// A node of [`GraphResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// Its id in the document.
    pub id: String,
    /// Its element's id in the drawing: the `id` attribute in `dot`.
    pub element: String,
    /// Its kind; `node` in a plain graph.
    pub kind: String,
    /// Where it is declared.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// Its state in the newest run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "super::reference::names::<NodeState>"))]
    pub state: Option<NodeState>,
}

/// An edge of [`GraphResult`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GraphEdge {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Its element's id in the drawing.
    pub element: String,
    /// Where it is.
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Range,
    /// Whether the newest run took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<bool>,
}

/// What `attractor.consent` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConsentArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The pipeline; may be left out when the document holds one.
    #[serde(default)]
    pub graph: Option<String>,
}

/// What `attractor.consent` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentResult {
    /// A document to show with everything a run can do; it is not to be edited.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// Whether the pipeline may run without another question.
    pub trusted: bool,
    /// The question the server would ask, with the numbers.
    pub question: String,
    /// What is different from the version last approved, as a unified diff; missing when none was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_since_approved: Option<String>,
}

/// What `attractor.trust` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrustArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The choice.
    pub decision: TrustDecision,
}

/// A user's choice about a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TrustDecision {
    /// The next run only.
    Once,
    /// Until the file, a sub-pipeline or an `@file` changes.
    Version,
    /// Everything in its workspace folder.
    Folder,
    /// Take back every choice about it.
    Revoke,
}

/// What `attractor.trust` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrustResult {
    /// Whether the document may run now.
    pub trusted: bool,
}

/// What `attractor.explain` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainArgs {
    /// The name of a rule, an attribute, a handler or a context key.
    pub name: String,
}

/// What `attractor.explain` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExplainResult {
    /// The reference page.
    pub markdown: String,
}

/// What `attractor.validate` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValidateArgs {
    /// The document, open or not.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
}

/// What `attractor.validate` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValidateResult {
    /// The diagnostics, as in `textDocument/publishDiagnostics`.
    pub diagnostics: Vec<Value>,
}

/// What `attractor.new` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewArgs {
    /// The name of a template, as `attractor new` lists them.
    pub template: String,
    /// Where the pipeline is to be: a file that does not exist, or an open document without text.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
}

/// What `attractor.new` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewResult {
    /// A `WorkspaceEdit` that makes the pipeline and the file of its scenarios; the client applies it.
    pub edit: Value,
}
