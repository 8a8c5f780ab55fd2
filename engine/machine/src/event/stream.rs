//! Where a piece of output comes from.

use serde::{Deserialize, Serialize};

/// Which stream a piece of output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stream {
    /// Standard output of a command.
    Stdout,
    /// Standard error of a command.
    Stderr,
    /// What a model wrote.
    Model,
    /// What a model thought before it wrote.
    Thinking,
    /// What the engine has to say about the step.
    Note,
}
