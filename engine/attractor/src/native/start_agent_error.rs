//! Why a session of the agent does not start.

use std::path::{Path, PathBuf};

use attractor_run::BackendError;

/// How many sessions a message names.
const NAMED: usize = 5;

/// Why a session does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartAgentError {
    /// There is no session to continue.
    #[error("unknown session `{id}`: {}", known_sessions(known, folder))]
    UnknownSession {
        /// As given.
        id: String,
        /// The sessions there are, the latest first.
        known: Vec<String>,
        /// Where they are.
        folder: PathBuf,
    },
    /// A session that this user has not begun.
    #[error(
        "session `{id}` was not begun by you here: by somebody else, on another machine, or by an earlier version; it decides \
         the instructions and the model that it continues with"
    )]
    NotSigned {
        /// The session.
        id: String,
    },
    /// It cannot be set up: its model's provider is not configured, or its folder cannot be used.
    #[error("{0}")]
    Setup(Box<BackendError>),
}

impl From<BackendError> for StartAgentError {
    fn from(error: BackendError) -> Self {
        Self::Setup(Box::new(error))
    }
}

/// The latest sessions, as a message names them.
fn known_sessions(known: &[String], folder: &Path) -> String {
    let folder = folder.display();
    if known.is_empty() {
        return format!("there are no sessions in `{folder}`");
    }
    let latest: Vec<&str> = known.iter().take(NAMED).map(String::as_str).collect();
    let more = match known.len() - latest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("`{folder}` has {}{more}", latest.join(", "))
}
