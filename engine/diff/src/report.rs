//! The differences of several files, as `attractor diff --format json` prints them.

use serde::Serialize;

use crate::difference::{Difference, Status};

/// The files that were compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Each file that is not equal, byte by byte.
    pub files: Vec<FileDifference>,
}

/// What has changed in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileDifference {
    /// Its path, of the new version if there is one.
    pub path: String,
    /// The path of the old version, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// Whether the meaning has changed: `unchanged` is another layout.
    pub status: Status,
    /// Syntax errors; what they concern is compared as far as it can be read.
    pub problems: Vec<SyntaxProblem>,
    /// The pipelines of both versions.
    pub pipelines: Vec<Difference>,
    /// Of a file without a pipeline: the difference by lines, in the unified format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
}

/// A syntax error in one of the versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SyntaxProblem {
    /// The version.
    pub version: ProblemSide,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// One of the versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProblemSide {
    /// The old one.
    Old,
    /// The new one.
    New,
}

impl ProblemSide {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

impl Report {
    /// Whether a file means something else.
    pub fn has_changes(&self) -> bool {
        let mut files = self.files.iter();
        files.any(|file| file.status != Status::Unchanged)
    }

    /// Whether a file has syntax errors.
    pub fn has_problems(&self) -> bool {
        self.files.iter().any(|file| !file.problems.is_empty())
    }
}
