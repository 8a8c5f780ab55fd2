//! Everything that can keep a program from starting a run.

use std::io;
use std::path::PathBuf;

use attractor_run::{HandlerError, RunError};

/// Why a run cannot be started or an engine not be built. A node that fails is not an error of this kind: it is in the
/// report of its run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The pipeline cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The executor refuses the run: the pipeline has errors, inputs are missing, and so on.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A handler cannot be registered.
    #[error(transparent)]
    Handler(#[from] HandlerError),
    /// A transform refuses the pipeline.
    #[error("the transform `{name}` refuses pipeline `{pipeline}`: {reason}")]
    Transform {
        /// The transform.
        name: String,
        /// The pipeline.
        pipeline: String,
        /// Its sentence.
        reason: String,
    },
    /// Notifications cannot be sent as the configuration says.
    #[error("{reason}")]
    Notify {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A stylesheet cannot be read.
    #[error("the stylesheet has an error at byte {at}: {message}")]
    Stylesheet {
        /// What was found and what was expected.
        message: String,
        /// Where, in bytes.
        at: usize,
    },
}

/// Why a pipeline cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The text is not DOT.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// There is no such pipeline.
    #[error("{} has no {}; expected `digraph NAME {{ … }}` with nodes", path.display(), match graph {
        Some(name) => format!("pipeline `{name}`"),
        None => "pipeline".to_owned(),
    })]
    NoPipeline {
        /// The file.
        path: PathBuf,
        /// The name that was asked for.
        graph: Option<String>,
    },
}
