//! `workspace/executeCommand`: every command with the object it takes and the object it answers.
//!
//! All commands answer at once; none waits for a run, a user or the client.

use attractor_proto::commands::explain::EXPLAIN;
use attractor_proto::commands::graph::GRAPH;
use attractor_proto::commands::validate::VALIDATE;
use lsp_types::Uri;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use attractor_proto::commands::explain::{ExplainArgs, ExplainResult};
pub use attractor_proto::commands::graph::{GraphArgs, GraphEdge, GraphNode, GraphResult};
pub use attractor_proto::commands::validate::{ValidateArgs, ValidateResult};

pub use super::file_changes::{ChangedFile, DiffArgs, DiffResult, RevertArgs, RevertResult};
pub use super::inputs::{Input, InputType, InputsArgs, InputsResult};
pub use super::providers::{Provider, ProvidersArgs, ProvidersResult};
pub use super::run_control::{
    AnswerArgs, AnswerResult, CancelArgs, CancelResult, FilesOfFork, ForkArgs, OnChanges,
    ResumeArgs, RunArgs, RunMode, RunResult, SteerArgs, SteerResult,
};
pub use super::run_list::{
    EventsArgs, EventsResult, LogArgs, LogResult, ReportArgs, ReportResult, RunRow, RunsArgs,
    RunsResult,
};
pub use super::scenarios::{
    CoveredEdge, CoveredNode, TestArgs, TestCoverage, TestFailure, TestProblem, TestResult,
    TestScenario,
};
pub use super::semantic_diff::{SemanticChange, SemanticDiffArgs, SemanticDiffResult};
pub use super::trust::{ConsentArgs, ConsentResult, TrustArgs, TrustDecision, TrustResult};
pub use super::ways::{OutcomeArg, Way, WayOutcome, WaysArgs, WaysResult};

/// Every command, as announced in `executeCommandProvider`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Command {
    /// Start a run: [`RunArgs`] → [`RunResult`].
    Run,
    /// The inputs of a pipeline, for a form: [`InputsArgs`] → [`InputsResult`].
    Inputs,
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
    /// The ways a dry run can take: [`WaysArgs`] → [`WaysResult`].
    Ways,
    /// What has changed in meaning since a commit: [`SemanticDiffArgs`] → [`SemanticDiffResult`].
    SemanticDiff,
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
        "{uri, graph?, inputs?, from?, mode?: \"run\"|\"simulate\"|\"dryRun\", outcomes?, answers?}",
    ),
    row(Command::Inputs, "attractor.inputs", "{uri, graph?}"),
    row(
        Command::Resume,
        "attractor.resume",
        "{run, inputs?, changes?: \"ask\"|\"accept\"|\"refuse\"}",
    ),
    row(
        Command::Fork,
        "attractor.fork",
        "{run, node, visit?, set?, files?: \"ask\"|\"refuse\"|\"keep\"|\"restore\"}",
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
    row(Command::Graph, GRAPH.name, GRAPH.takes),
    row(Command::Consent, "attractor.consent", "{uri, graph?}"),
    row(
        Command::Trust,
        "attractor.trust",
        "{uri, decision: \"once\"|\"version\"|\"folder\"|\"revoke\"}",
    ),
    row(Command::Explain, EXPLAIN.name, EXPLAIN.takes),
    row(Command::Validate, VALIDATE.name, VALIDATE.takes),
    row(
        Command::Test,
        "attractor.test",
        "{uri, names?, list?, init?}",
    ),
    row(
        Command::Ways,
        "attractor.ways",
        "{uri, graph?, inputs?, outcomes?, answers?}",
    ),
    row(
        Command::SemanticDiff,
        "attractor.semanticDiff",
        "{uri, rev?}",
    ),
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
