//! Why a request was not answered.

use attractor_ide::rename::RenameError;

/// `RequestFailed` of LSP 3.17.
pub const REQUEST_FAILED: i64 = -32803;

const INVALID_PARAMS: i64 = -32602;

/// Why a request was not answered.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RequestError {
    /// The parameters are not those of the method.
    #[error("{0}")]
    InvalidParams(String),
    /// A rename that would break the graph.
    #[error(transparent)]
    Rename(#[from] RenameError),
    /// The document holds no graph.
    #[error(
        "No pipeline in {uri}. A pipeline is a digraph with a start node (`start [shape=Mdiamond]`) or a `goal`."
    )]
    NoPipeline {
        /// The document.
        uri: String,
    },
    /// The document holds several pipelines, or none of the given name.
    #[error("Unknown pipeline {graph:?} in {uri}; expected one of {known}.")]
    UnknownGraph {
        /// The document.
        uri: String,
        /// The name asked for.
        graph: String,
        /// The names there are.
        known: String,
    },
    /// A name that the reference does not know.
    #[error("Unknown name {name:?}. Expected a rule, attribute, handler or context key.")]
    UnknownName {
        /// The name asked for.
        name: String,
    },
    /// The arguments of a command are not what it takes.
    #[error("Invalid argument of {command}: {reason}; expected {takes}")]
    BadArgument {
        /// The command.
        command: String,
        /// The shape of its argument.
        takes: &'static str,
        /// What was wrong.
        reason: String,
    },
    /// No such command.
    #[error("Unknown command {command:?}. Available commands: {known}.")]
    UnknownCommand {
        /// The command.
        command: String,
        /// The commands there are.
        known: String,
    },
    /// The document cannot be read.
    #[error("Cannot read {uri}: {reason}")]
    Unreadable {
        /// The document.
        uri: String,
        /// Why.
        reason: String,
    },
    /// A bug in this program.
    #[error("Internal error in Attractor. The server is still running; please report this.")]
    Internal,
}

impl RequestError {
    /// The machine-readable name in `data.code`; `None` for errors of the protocol itself.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::InvalidParams(_) => return None,
            Self::Rename(_) => "edit",
            Self::NoPipeline { .. } => "noPipeline",
            Self::UnknownGraph { .. } => "unknownGraph",
            Self::UnknownName { .. } => "unknownName",
            Self::BadArgument { .. } => "badArgument",
            Self::UnknownCommand { .. } => "unknownCommand",
            Self::Unreadable { .. } => "unreadable",
            Self::Internal => "internal",
        })
    }

    /// The error code of JSON-RPC.
    pub fn number(&self) -> i64 {
        match self {
            Self::InvalidParams(_) | Self::BadArgument { .. } | Self::UnknownCommand { .. } => {
                INVALID_PARAMS
            }
            Self::Rename(_)
            | Self::NoPipeline { .. }
            | Self::UnknownGraph { .. }
            | Self::UnknownName { .. }
            | Self::Unreadable { .. }
            | Self::Internal => REQUEST_FAILED,
        }
    }
}
