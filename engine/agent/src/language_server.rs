//! A client for language servers: definitions, references, hover, completions and diagnostics for the model.
//!
//! [`LanguageServers`] starts the server of a file when it is first needed, and only in a folder that is trusted: a
//! server runs code of the project. A server that does not answer, ends or floods is an error with a reason, and
//! holds nothing up.

mod client;
mod connection;
mod diagnostics;
mod documents;
mod framing;
mod position;
mod render;
mod rustup;
mod servers;
mod set;
mod uri;

pub use diagnostics::Diagnostic;
pub(crate) use position::Place;
pub use servers::{ServerDefinition, built_in_servers, detected_servers};
pub(crate) use set::Question;
pub use set::{FolderTrust, LanguageServers, ServerProcess, ServerStatus};

/// Why a language server gives no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The folder is not trusted.
    #[error("language servers are not started in a folder that is not trusted")]
    Untrusted,
    /// No server is for the file.
    #[error("no language server is known for `{0}`")]
    Unknown(String),
    /// The project has not the file that the server needs.
    #[error("{server} needs {needs} in a folder of the project, which does not exist")]
    NoProject {
        /// The server.
        server: String,
        /// The files of which one must exist.
        needs: String,
    },
    /// It cannot be started.
    #[error("{server} cannot be started: {reason}")]
    Start {
        /// The server.
        server: String,
        /// Why.
        reason: String,
    },
    /// It ended, or wrote something that is not the protocol.
    #[error("{server} failed: {reason}")]
    Failed {
        /// The server.
        server: String,
        /// Why.
        reason: String,
    },
    /// It takes too long.
    #[error("{server} did not answer within {seconds} seconds")]
    TimedOut {
        /// The server.
        server: String,
        /// The limit.
        seconds: u64,
    },
    /// It refused the request.
    #[error("{server} reports: {message}")]
    Refused {
        /// The server.
        server: String,
        /// Its code.
        code: i64,
        /// Its message.
        message: String,
    },
    /// The file or the position cannot be used.
    #[error("{0}")]
    Request(String),
}

#[cfg(test)]
mod tests;
