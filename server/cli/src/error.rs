//! Everything the command line itself can refuse, and how it says so.
//!
//! All wording is here: what was found, what was expected, what to do. Mistakes inside a pipeline are
//! not errors of this kind; they are diagnostics, printed by [`crate::render`].

use std::io;

use attractor_run::RunError;
use thiserror::Error as ThisError;

use crate::exit::Exit;

/// Why a command could not do its work.
#[derive(Debug, ThisError)]
pub enum Error {
    /// No such file.
    #[error("{path}: no such file.{}", did_you_mean(near.as_ref()))]
    NotFound {
        /// As given.
        path: String,
        /// A file with nearly that name.
        near: Option<String>,
    },
    /// A folder where a file was expected.
    #[error("{path} is a folder. Name a pipeline file in it.")]
    IsFolder {
        /// As given.
        path: String,
    },
    /// A folder without pipelines.
    #[error("no DOT file in {path}: expected files that end in {}", endings())]
    NoFiles {
        /// As given.
        path: String,
    },
    /// Bytes that are no text.
    #[error(
        "{path} is not a text file: line {line} holds the byte 0x{byte:02X}, which is not UTF-8. \
         Save it as UTF-8, or say charset=latin1 in the graph."
    )]
    NotText {
        /// As given.
        path: String,
        /// From 1.
        line: usize,
        /// The first offending byte.
        byte: u8,
    },
    /// Reading failed.
    #[error("{path} could not be read: {cause}.")]
    Unreadable {
        /// As given.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// Writing failed.
    #[error("{path} could not be written: {cause}.")]
    Unwritable {
        /// The file, or `standard output`.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The system gives no threads.
    #[error("the program could not be set up: {0}.")]
    NoRuntime(io::Error),
    /// `lsp --port` could not listen, or lost its client at once.
    #[error("no client could be served on port {port}: {cause}.")]
    NoPort {
        /// As given.
        port: u16,
        /// What the system said.
        cause: io::Error,
    },
    /// `explain` with a name the catalogue does not have.
    #[error("nothing is known by the name {name}.{}", did_you_mean(near.as_ref()))]
    NothingKnown {
        /// As given.
        name: String,
        /// The nearest name of the catalogue.
        near: Option<String>,
    },
    /// `run` with a file that holds none.
    #[error(
        "{path} holds no pipeline: no digraph in it has a start node, a goal or any other attribute \
         that only pipelines have."
    )]
    NoPipeline {
        /// The file.
        path: String,
    },
    /// A file of inputs or answers that is neither JSON nor TOML.
    #[error("{path} holds no names and values, in JSON or TOML: {reason}.")]
    NoTable {
        /// The file.
        path: String,
        /// What the reader said.
        reason: String,
    },
    /// `resume` with a checkpoint file and no `--pipeline-dot`.
    #[error("{checkpoint} does not hold its pipeline: name the file with --pipeline-dot FILE.")]
    NeedsPipeline {
        /// As given.
        checkpoint: String,
    },
    /// `answer` names no open question.
    #[error("no open question is called {wanted}. Open:\n{open}")]
    NoQuestion {
        /// As given.
        wanted: String,
        /// The open questions, drawn.
        open: String,
    },
    /// `answer` without a question, and several are open.
    #[error("several questions are open; name one:\n{open}")]
    WhichQuestion {
        /// The open questions, drawn.
        open: String,
    },
    /// `answer`, and nobody asks.
    #[error("run {run} asks nothing at the moment.")]
    NothingAsked {
        /// As given.
        run: String,
    },
    /// The owner of the run did not take it.
    #[error("not accepted: {reason}.")]
    NotAccepted {
        /// What it said.
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
    /// The engine refused.
    #[error("{0}.")]
    Run(#[from] RunError),
    /// The project's configuration has problems, which have been reported.
    #[error("{} cannot be used; correct it, then try again", path.display())]
    Configuration {
        /// The file.
        path: std::path::PathBuf,
    },
    /// A stylesheet of `--stylesheet` has mistakes, which have been reported.
    #[error("{path} cannot be used as a stylesheet; correct it, then try again")]
    Stylesheet {
        /// As given.
        path: String,
    },
    /// `new` with a name no template has.
    #[error("there is no template {name}; there are {}.", listed(names))]
    NoTemplate {
        /// As given.
        name: String,
        /// What there is.
        names: Vec<String>,
    },
    /// `convert` with a file that is no JSON.
    #[error("{path} is no plan library: {reason}.")]
    NoPlan {
        /// The file.
        path: String,
        /// What the reader said.
        reason: String,
    },
    /// `graph --format svg` without Graphviz.
    #[error(
        "a picture is drawn by Graphviz, and its program dot is not on the PATH. Install it (apt install \
         graphviz, brew install graphviz, winget install graphviz), or take --format mermaid."
    )]
    NoGraphviz,
    /// Graphviz did not draw.
    #[error("Graphviz did not draw it: {reason}")]
    NotDrawn {
        /// What it said.
        reason: String,
    },
    /// `graph --format svg` of a file with several graphs, or none.
    #[error(
        "a picture shows one graph; name it with --graph: {path} has {}.",
        listed(names)
    )]
    WhichGraph {
        /// The file.
        path: String,
        /// What there is.
        names: Vec<String>,
    },
    /// `--graph` names no graph.
    #[error("{path} has no {what} {name}; it has {}.", listed(names))]
    NoGraph {
        /// The file.
        path: String,
        /// `graph` or `pipeline`.
        what: &'static str,
        /// As given.
        name: String,
        /// What there is.
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
            // Whoever read our output has seen enough: `attractor … | head`.
            Self::Unwritable { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe => {
                Exit::Success
            }
            Self::NotFound { .. }
            | Self::IsFolder { .. }
            | Self::NoFiles { .. }
            | Self::NothingKnown { .. }
            | Self::NeedsPipeline { .. }
            | Self::NoQuestion { .. }
            | Self::NoRun { .. }
            | Self::WhichQuestion { .. }
            | Self::NoTemplate { .. }
            | Self::WhichGraph { .. }
            | Self::Configuration { .. }
            | Self::NoGraph { .. } => Exit::Usage,
            Self::Run(error) if error.is_usage() => Exit::Usage,
            _ => Exit::Failed,
        }
    }

    /// Whether there is anything to say: not when the reader of our output has left.
    pub fn is_silent(&self) -> bool {
        self.exit() == Exit::Success
    }
}

fn endings() -> String {
    let endings: Vec<String> = attractor_lsp::EXTENSIONS
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

/// ` Did you mean X?`, or nothing.
pub fn did_you_mean(near: Option<&String>) -> String {
    near.map(|near| format!(" Did you mean {near}?"))
        .unwrap_or_default()
}
