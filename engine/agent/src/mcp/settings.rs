//! Which servers, and how they are reached.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use attractor_exec::Redactor;

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// Its name: the first part of the names of its tools.
    pub name: String,
    /// How it is reached.
    pub transport: McpTransport,
    /// The time to start and list its tools.
    pub start_timeout: Duration,
    /// The time of one call.
    pub call_timeout: Duration,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum McpTransport {
    /// A program that is started, over its standard input and output.
    Stdio {
        /// The program and its arguments.
        command: Vec<String>,
        /// Variables to set; other variables with secrets are not passed on.
        environment: Vec<(String, String)>,
    },
    /// An address, over HTTP.
    Http {
        /// The address.
        url: String,
        /// Headers of every request.
        headers: Vec<(String, String)>,
    },
}

/// Never a value, which may be a secret.
impl fmt::Debug for McpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio { command, .. } => f
                .debug_struct("Stdio")
                .field("command", command)
                .finish_non_exhaustive(),
            Self::Http { url, .. } => f
                .debug_struct("Http")
                .field("url", url)
                .finish_non_exhaustive(),
        }
    }
}

impl McpServer {
    /// A server with the usual time limits: 30 seconds to start, and a minute for a call.
    pub fn new(name: impl Into<String>, transport: McpTransport) -> Self {
        Self {
            name: name.into(),
            transport,
            start_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_mins(1),
        }
    }
}

/// How the processes of servers are started.
#[derive(Debug, Clone)]
pub struct McpProcess {
    /// The folder they run in.
    pub directory: PathBuf,
    /// Marks them: the run, and the attempt within it.
    pub run: String,
    /// See `run`.
    pub step: String,
    /// Masks secrets in what they report.
    pub redactor: Arc<Redactor>,
}
