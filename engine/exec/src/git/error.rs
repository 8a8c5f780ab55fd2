//! Why Git is not called, or fails.

use std::io;
use std::path::PathBuf;

/// Why Git is not called, or fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The repository is not the one that was found at first.
    #[error("`{}` was changed since the run began: {change}; Git is not called", path.display())]
    Changed {
        /// `.git`.
        path: PathBuf,
        /// What is different.
        change: String,
    },
    /// Its `.git` leads to a folder that belongs to another one.
    #[error("cannot use `{}`: {reason}", path.display())]
    Unusable {
        /// `.git`.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Git is not installed.
    #[error("`git` is not on PATH; install it")]
    Missing,
    /// It cannot be started.
    #[error("cannot run `git`: {0}")]
    Start(#[from] io::Error),
    /// It failed.
    #[error("`git {command}` failed: {message}")]
    Failed {
        /// The subcommand.
        command: String,
        /// What it wrote.
        message: String,
    },
    /// It took too long.
    #[error("`git {command}` did not end in time")]
    TimedOut {
        /// The subcommand.
        command: String,
    },
}
