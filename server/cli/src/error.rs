//! The errors of the command line itself, with all of their wording.
//!
//! A message says what was found, what was expected and what to do. Problems inside a pipeline are diagnostics,
//! printed by [`crate::render`].

use std::io;

use attractor_run::{DOT_EXTENSIONS, RunError};
use thiserror::Error as ThisError;

use crate::exit::Exit;
use crate::run_errors;

/// Why a command could not do its work.
#[derive(Debug, ThisError)]
pub enum Error {
    /// No such file.
    #[error("{path}: no such file{}", suggestion(near.as_ref()))]
    NotFound {
        /// As given.
        path: String,
        /// A file with nearly that name.
        near: Option<String>,
    },
    /// A link to nothing.
    #[error("`{path}` is a link to `{target}`, which does not exist")]
    DanglingLink {
        /// As given.
        path: String,
        /// What it leads to, as it is stored.
        target: String,
    },
    /// A file that is too large, or endless.
    #[error("{path} has more than 256 MiB; expected a pipeline file")]
    TooLarge {
        /// As given.
        path: String,
    },
    /// A folder where a file was expected.
    #[error("{path} is a folder; specify a pipeline file")]
    IsFolder {
        /// As given.
        path: String,
    },
    /// A file, or nothing, where a folder was expected.
    #[error("{path} is not a folder; specify the root of a repository")]
    NotFolder {
        /// As given.
        path: String,
    },
    /// A folder without pipelines.
    #[error(
        "no DOT file in {path}; expected a file name that ends with {}",
        endings()
    )]
    NoFiles {
        /// As given.
        path: String,
    },
    /// `test` with a folder that has no scenario file.
    #[error(
        "no scenario file (*.test.toml) in {path}; `attractor test --init FILE.dot` writes one"
    )]
    NoScenarios {
        /// As given.
        path: String,
    },
    /// `test` with a pipeline that has no scenario file.
    #[error(
        "{path} has no scenarios: {expected} does not exist; `attractor test --init {path}` writes it"
    )]
    NoScenariosOf {
        /// As given.
        path: String,
        /// The file that was looked for.
        expected: String,
    },
    /// `test -k` with a text that no scenario has in its name.
    #[error("no scenario has `{text}` in its name")]
    NoScenarioNamed {
        /// As given.
        text: String,
    },
    /// `agent --image` with a file that no model takes.
    #[error("{reason}")]
    Image {
        /// Which, and why not.
        reason: String,
    },
    /// `test --from-run` of a run that no scenario repeats.
    #[error("run {run} cannot be recorded as a scenario: {reason}")]
    NotRecordable {
        /// The run.
        run: String,
        /// Why not.
        reason: String,
    },
    /// `help` of a command that does not exist.
    #[error("unknown command `{name}`{}", suggestion(attractor_model::catalogue::nearest(name, names.iter().map(String::as_str)).map(str::to_owned).as_ref()))]
    UnknownCommand {
        /// As given.
        name: String,
        /// Those that exist.
        names: Vec<String>,
    },
    /// A new file whose name is taken.
    #[error("{path} exists; choose another name or remove it first")]
    Exists {
        /// As given.
        path: String,
    },
    /// Something that is asked about first, without a terminal.
    #[error("confirmation needs a terminal; pass --yes to {what}")]
    NotConfirmed {
        /// What happens after a yes: `delete 3 runs`.
        what: String,
    },
    /// `ci init` with a workflow that exists, without a terminal.
    #[error(
        "{path} exists with different content; pass --force to overwrite it, or confirm at a terminal"
    )]
    NotOverwritten {
        /// The file.
        path: String,
    },
    /// Bytes that are not text.
    #[error(
        "{path}: invalid UTF-8 (byte 0x{byte:02X} on line {line}); save it as UTF-8 or set charset=latin1 in the graph"
    )]
    NotText {
        /// As given.
        path: String,
        /// From 1.
        line: usize,
        /// The first offending byte.
        byte: u8,
    },
    /// Bytes that are not a text at all.
    #[error("{path} is not a text file; expected a DOT file in UTF-8")]
    Binary {
        /// As given.
        path: String,
    },
    /// Text in another encoding.
    #[error("{path} is UTF-16; save it as UTF-8")]
    Utf16 {
        /// As given.
        path: String,
    },
    /// `diff` with another number of files.
    #[error(
        "expected two files or folders: attractor diff OLD NEW; or a commit: attractor diff --git REV"
    )]
    DiffArguments,
    /// `diff --flowchart` with output that has no place for it.
    #[error("`--flowchart` needs Markdown; add `--format markdown`")]
    FlowchartFormat,
    /// `diff --git` outside of a repository.
    #[error(
        "this folder is not in a Git repository; compare files instead: attractor diff OLD NEW"
    )]
    NoRepository,
    /// `diff --git` with a file of another folder.
    #[error("{path} is not in the repository {repository}")]
    OutsideRepository {
        /// As given.
        path: String,
        /// Its folder.
        repository: String,
    },
    /// `diff --git` with a revision that does not exist.
    #[error("unknown revision `{revision}`; expected a commit, a branch or a tag")]
    UnknownRevision {
        /// As given.
        revision: String,
    },
    /// Git refuses, or cannot be run.
    #[error(transparent)]
    Git(#[from] attractor_exec::git::GitError),
    /// Reading failed.
    #[error("could not read {path}: {cause}")]
    Unreadable {
        /// As given.
        path: String,
        /// The error of the system.
        cause: io::Error,
    },
    /// Writing failed.
    #[error("could not write {path}: {cause}")]
    Unwritable {
        /// The file, or `standard output`.
        path: String,
        /// The error of the system.
        cause: io::Error,
    },
    /// The async runtime did not start.
    #[error("could not start the async runtime: {0}")]
    NoRuntime(io::Error),
    /// What is asked of a server elsewhere is not there, or not possible.
    #[error("{reason}")]
    Remote {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A server elsewhere refuses, or cannot be asked.
    #[error(transparent)]
    Server(#[from] attractor_client::ClientError),
    /// `serve` has no address to listen on, or may not use it.
    #[error("{reason}")]
    NotServed {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// `lsp --port` could not listen, or lost its client at once.
    #[error("could not listen on port {port}: {cause}")]
    ListenFailed {
        /// As given.
        port: u16,
        /// The error of the system.
        cause: io::Error,
    },
    /// `explain` with a name that is not in the catalogue.
    #[error(
        "unknown name `{name}`{}",
        near.as_ref().map_or_else(|| "; expected a rule, attribute, handler or context key (`attractor lints`, `attractor handlers`)".to_owned(), |near| suggestion(Some(near)))
    )]
    UnknownName {
        /// As given.
        name: String,
        /// The nearest name of the catalogue.
        near: Option<String>,
    },
    /// `explain FILE:NODE` of a node that the file does not have.
    #[error("`{path}` has no node `{node}`{}", suggestion(near.as_ref()))]
    UnknownNode {
        /// The file.
        path: String,
        /// As given.
        node: String,
        /// The nearest node.
        near: Option<String>,
    },
    /// `runs show --artifact` of a key that is not in the context.
    #[error("the context of {run} has no key `{key}`{}", suggestion(near.as_ref()))]
    UnknownKey {
        /// The run's folder.
        run: String,
        /// As given.
        key: String,
        /// The nearest key.
        near: Option<String>,
    },
    /// `explain FILE:NODE --run` of a node that has called no model.
    #[error("`{node}` has called no model in {run}; expected a node with a prompt that has run")]
    NoPrompt {
        /// The node.
        node: String,
        /// The run, as given.
        run: String,
    },
    /// `run` with a file that holds none.
    #[error("no pipeline in {path}; a pipeline is a digraph with a start node or a `goal`")]
    NoPipeline {
        /// The file.
        path: String,
    },
    /// A file of inputs or answers that is neither JSON nor TOML.
    #[error("{path} is not a JSON object or TOML table: {reason}")]
    NotATable {
        /// The file.
        path: String,
        /// The error of the parser.
        reason: String,
    },
    /// `resume` with a checkpoint file and no `--pipeline-dot`.
    #[error("checkpoint {checkpoint} does not embed its pipeline; pass --pipeline-dot FILE")]
    NeedsPipeline {
        /// As given.
        checkpoint: String,
    },
    /// `answer` names no open question.
    #[error("no open question `{wanted}`; open questions:\n{open}")]
    UnknownQuestion {
        /// As given.
        wanted: String,
        /// The open questions, drawn.
        open: String,
    },
    /// `answer` without a question, and several are open.
    #[error("several questions are open; specify one:\n{open}")]
    AmbiguousQuestion {
        /// The open questions, drawn.
        open: String,
    },
    /// `answer`, and no question is open.
    #[error("run {run} has no open questions")]
    NoOpenQuestion {
        /// As given.
        run: String,
    },
    /// A command for active runs, and the run has ended.
    #[error("run {run} has already ended: {state}")]
    Ended {
        /// Its id.
        run: String,
        /// How.
        state: &'static str,
    },
    /// A command for active runs, and the process of the run has ended.
    #[error("run {run} is interrupted; resume it first: attractor resume {run}")]
    Interrupted {
        /// Its id.
        run: String,
    },
    /// The process of the run rejected it.
    #[error("answer rejected: {reason}")]
    AnswerRejected {
        /// Its message.
        reason: String,
    },
    /// `steer` with a node that cannot have a message.
    #[error("message rejected: {reason}")]
    SteeringRejected {
        /// Its message.
        reason: String,
    },
    /// `pause`, or `resume` of a paused run, that its process refuses.
    #[error("request rejected: {reason}")]
    PauseRejected {
        /// Its message.
        reason: String,
    },
    /// `dap`: the connection to the client.
    #[error("the debugger lost its client: {reason}")]
    Debugger {
        /// What happened.
        reason: String,
    },
    /// A command without a run's name, and no run fits.
    #[error("no {what} in {place}")]
    NoRun {
        /// `run that can be resumed`.
        what: &'static str,
        /// Where it was looked for.
        place: String,
    },
    /// `runs diff` or `runs revert` of a node that the run has not reached.
    #[error("run {run} has not reached a node `{node}`{}", suggestion(near.as_ref()))]
    NodeNotReached {
        /// The run.
        run: String,
        /// As given.
        node: String,
        /// The nearest node it has reached.
        near: Option<String>,
    },
    /// `runs show RUN/CHILD` names no run of a sub-pipeline.
    #[error(
        "run {run} has no run `{name}` of a sub-pipeline; available: {}",
        listed(names)
    )]
    UnknownChildRun {
        /// The run.
        run: String,
        /// As given.
        name: String,
        /// Those that exist.
        names: Vec<String>,
    },
    /// `fork` without a node.
    #[error("specify the node to begin at: attractor fork [RUN] NODE[@VISIT]")]
    NoForkNode,
    /// The engine refused.
    #[error("{}", run_errors::message(.0))]
    Run(#[from] RunError),
    /// Traces cannot be sent.
    #[cfg(feature = "otel")]
    #[error(transparent)]
    Traces(#[from] attractor_otel::ExportError),
    /// The project's configuration has problems, which have been reported.
    #[error("invalid configuration in {}; nothing runs until it is fixed", path.display())]
    Configuration {
        /// The file.
        path: std::path::PathBuf,
    },
    /// A stylesheet of `--stylesheet` has errors, which have been reported.
    #[error("invalid stylesheet {path}")]
    Stylesheet {
        /// As given.
        path: String,
    },
    /// No plan of a library, or no template, fits a task.
    #[error(
        "no plan{restricted} fits the task \"{task}\"; name one with --graph, or use words of the triggers of a plan:\n  {}",
        plans.join("\n  ")
    )]
    NoPlanFits {
        /// As given.
        task: String,
        /// ` for role X in domain Y`, or empty.
        restricted: String,
        /// The plans with their triggers.
        plans: Vec<String>,
    },
    /// `--role` names a role that no configuration file has.
    #[error("unknown role `{role}`; roles in the configuration: {}", listed(roles))]
    UnknownRole {
        /// As given.
        role: String,
        /// Those that exist.
        roles: Vec<String>,
    },
    /// `--answer` with something that a gate does not offer.
    #[error(
        "`{answer}` in --answer is not a choice of `{gate}`; expected {}{}",
        choices.join(", "),
        suggestion(near.as_ref())
    )]
    UnknownAnswer {
        /// The gate.
        gate: String,
        /// As given.
        answer: String,
        /// The nearest choice.
        near: Option<String>,
        /// All of them.
        choices: Vec<String>,
    },
    /// `--report` with a file that cannot be written.
    #[error("could not write {path} (--report): {reason}")]
    NoReport {
        /// As given.
        path: String,
        /// `there is no folder /nope`.
        reason: String,
    },
    /// `resume` of a run that the engine refuses.
    #[error("could not resume run {run} of {file}: {}", run_errors::message(cause))]
    NotResumed {
        /// Its id.
        run: String,
        /// Its pipeline.
        file: String,
        /// Why.
        cause: Box<RunError>,
    },
    /// A recording of models' answers that cannot be used.
    #[error("{0}")]
    Cassette(String),
    /// An option with the name of something that does not exist.
    #[error("unknown {what} `{name}` in {option}{}", suggestion(near.as_ref()))]
    UnknownOptionName {
        /// The option.
        option: &'static str,
        /// What the name is of.
        what: &'static str,
        /// As given.
        name: String,
        /// A name that exists.
        near: Option<String>,
    },
    /// `--model` with a name that no provider is known for.
    #[error("{problem}")]
    UnknownModel {
        /// What is wrong, and a guess.
        problem: String,
    },
    /// A run in continuous integration that would simulate models.
    #[error(
        "{pipeline} would simulate models, and CI is set\n  {reasons}\n  set the key of a provider, or allow it: \
         {allow} or `simulation=allow` in the graph"
    )]
    Simulated {
        /// The pipeline.
        pipeline: String,
        /// The nodes, and why.
        reasons: String,
        /// The command that allows it.
        allow: &'static str,
    },
    /// A session of the agent that cannot start.
    #[error("{0}")]
    Agent(String),
    /// `agent --session` or `--fork` of a session that does not exist.
    #[error("{0}")]
    UnknownSession(String),
    /// `agent` without a task where nobody can talk with it.
    #[error(
        "no task is given; a conversation needs a terminal and the format `human`. Pass the task, or `-` to read it from \
         standard input"
    )]
    NoTask,
    /// `agent --continue` in a folder without sessions.
    #[error("this folder has no session to continue; begin one with `attractor agent`")]
    NoSession,
    /// `new` with an unknown template.
    #[error("unknown template `{name}`; available: {}", listed(names))]
    UnknownTemplate {
        /// As given.
        name: String,
        /// The names that exist.
        names: Vec<String>,
    },
    /// `graph --format svg` without Graphviz.
    #[error(
        "SVG output needs Graphviz, and `dot` is not on PATH; install it (apt install graphviz, brew install \
         graphviz, winget install graphviz) or use --format mermaid"
    )]
    NoGraphviz,
    /// Graphviz failed.
    #[error("Graphviz failed: {reason}")]
    GraphvizFailed {
        /// Its message.
        reason: String,
    },
    /// `graph --format svg` of a file with several graphs, or none.
    #[error(
        "SVG output shows one graph, and {path} has {}; specify one with --graph",
        listed(names)
    )]
    AmbiguousGraph {
        /// The file.
        path: String,
        /// The names that exist.
        names: Vec<String>,
    },
    /// `--graph` names no graph.
    #[error("{path} has no {what} `{name}`; available: {}", listed(names))]
    UnknownGraph {
        /// The file.
        path: String,
        /// `graph` or `pipeline`.
        what: &'static str,
        /// As given.
        name: String,
        /// The names that exist.
        names: Vec<String>,
    },
}

impl Error {
    /// A file that could not be read.
    pub fn unreadable(path: impl Into<String>, cause: io::Error) -> Self {
        Self::Unreadable {
            path: path.into(),
            cause,
        }
    }

    /// A file that could not be written.
    pub fn unwritable(path: impl Into<String>, cause: io::Error) -> Self {
        Self::Unwritable {
            path: path.into(),
            cause,
        }
    }

    /// How the program ends after this error.
    pub fn exit(&self) -> Exit {
        match self {
            // The reader has seen enough: `attractor … | head`.
            Self::Unwritable { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe => {
                Exit::Success
            }
            Self::NotFound { .. }
            | Self::DanglingLink { .. }
            | Self::NoPipeline { .. }
            | Self::UnknownNode { .. }
            | Self::UnknownAnswer { .. }
            | Self::NoReport { .. }
            | Self::TooLarge { .. }
            | Self::IsFolder { .. }
            | Self::NotFolder { .. }
            | Self::NoFiles { .. }
            | Self::NoScenarios { .. }
            | Self::NoScenariosOf { .. }
            | Self::NoScenarioNamed { .. }
            | Self::Image { .. }
            | Self::UnknownName { .. }
            | Self::UnknownCommand { .. }
            | Self::Exists { .. }
            | Self::NotConfirmed { .. }
            | Self::NotOverwritten { .. }
            | Self::NoPrompt { .. }
            | Self::UnknownKey { .. }
            | Self::NeedsPipeline { .. }
            | Self::UnknownQuestion { .. }
            | Self::NoRun { .. }
            | Self::NoForkNode
            | Self::AmbiguousQuestion { .. }
            | Self::UnknownTemplate { .. }
            | Self::UnknownSession(_)
            | Self::NoTask
            | Self::NoSession
            | Self::AmbiguousGraph { .. }
            | Self::Configuration { .. }
            | Self::UnknownChildRun { .. }
            | Self::NodeNotReached { .. }
            | Self::NoPlanFits { .. }
            | Self::UnknownRole { .. }
            | Self::UnknownModel { .. }
            | Self::DiffArguments
            | Self::FlowchartFormat
            | Self::NoRepository
            | Self::OutsideRepository { .. }
            | Self::UnknownRevision { .. }
            | Self::UnknownOptionName { .. }
            | Self::UnknownGraph { .. } => Exit::Usage,
            Self::Unreadable { cause, .. } if cause.kind() == io::ErrorKind::NotFound => {
                Exit::Usage
            }
            Self::Simulated { .. } => Exit::Simulated,
            Self::Run(error) if error.is_usage() => Exit::Usage,
            Self::NotResumed { cause, .. } if cause.is_usage() => Exit::Usage,
            _ => Exit::Failed,
        }
    }

    /// The pipeline file that could not be read, or holds none.
    pub fn unreadable_file(&self) -> Option<&str> {
        match self {
            Self::NotFound { path, .. }
            | Self::DanglingLink { path, .. }
            | Self::TooLarge { path }
            | Self::IsFolder { path }
            | Self::NoFiles { path }
            | Self::NotText { path, .. }
            | Self::Binary { path }
            | Self::Utf16 { path }
            | Self::Unreadable { path, .. }
            | Self::NoPipeline { path } => Some(path),
            _ => None,
        }
    }

    /// Whether nothing is printed: the reader of our output has closed it.
    pub fn is_silent(&self) -> bool {
        self.exit() == Exit::Success
    }
}

fn endings() -> String {
    let endings: Vec<String> = DOT_EXTENSIONS
        .iter()
        .map(|ending| format!(".{ending}"))
        .collect();
    endings.join(", ")
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// `; did you mean X?`, or nothing.
pub fn suggestion(near: Option<&String>) -> String {
    near.map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}
