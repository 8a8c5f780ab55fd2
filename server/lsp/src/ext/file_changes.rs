//! `attractor.diff` and `attractor.revert`: the files that a run or a node changed.

use attractor_client::RemoteFile;
use attractor_run::FileDiff;
use lsp_types::Uri;
use serde::{Deserialize, Serialize};

/// What `attractor.diff` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffArgs {
    /// The run.
    pub run: String,
    /// One node; else the whole run.
    #[serde(default)]
    pub node: Option<String>,
    /// One visit of the node; else the last one that changed files.
    #[serde(default)]
    pub visit: Option<u32>,
    /// Whether the result has the whole texts too.
    #[serde(default)]
    pub contents: bool,
}

/// What `attractor.diff` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffResult {
    /// The folder from which paths begin; of a run of a server elsewhere one that has none of the files.
    #[cfg_attr(test, schemars(with = "String"))]
    pub root: Uri,
    /// The visit it is about; 0 for a whole run.
    pub visit: u32,
    /// The files that are different, by path.
    pub files: Vec<ChangedFile>,
}

/// A file that a run or a node changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChangedFile {
    /// Path from `root`, with `/`.
    pub path: String,
    /// What happened to it.
    #[cfg_attr(
        test,
        schemars(schema_with = "super::reference::names::<attractor_run::ChangeKind>")
    )]
    pub change: attractor_run::ChangeKind,
    /// Lines added; missing where a content is not text or not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<usize>,
    /// Lines removed; missing likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<usize>,
    /// A unified diff; missing likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The text before, with `contents`; missing likewise, and of an added file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The text after, with `contents`; missing likewise, and of a deleted file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl ChangedFile {
    /// A file of the engine, with its texts when they are wanted.
    pub(crate) fn of(file: FileDiff, contents: bool) -> Self {
        Self {
            path: file.path,
            change: file.change,
            added: file.added,
            removed: file.removed,
            diff: file.diff,
            before: file.before.filter(|_| contents),
            after: file.after.filter(|_| contents),
        }
    }
}

impl From<RemoteFile> for ChangedFile {
    fn from(file: RemoteFile) -> Self {
        Self {
            path: file.path,
            change: file.change,
            added: file.added,
            removed: file.removed,
            diff: file.diff,
            before: file.before,
            after: file.after,
        }
    }
}

/// What `attractor.revert` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RevertArgs {
    /// The run.
    pub run: String,
    /// One node; else the whole run.
    #[serde(default)]
    pub node: Option<String>,
    /// One visit of the node; else the last one that changed files.
    #[serde(default)]
    pub visit: Option<u32>,
}

/// What `attractor.revert` answers: what was done, or why nothing was.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RevertResult {
    /// Files that have their former content again, by their paths from the root of the project.
    pub restored: Vec<String>,
    /// Files that are removed, because they were added.
    pub removed: Vec<String>,
    /// `true` when nothing was done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// Why nothing was done: which files have changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}
