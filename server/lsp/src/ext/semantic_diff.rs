//! What has changed in meaning since a commit.

use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};

/// What `attractor.semanticDiff` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SemanticDiffArgs {
    /// The document, as it is open, else as it is on the disk.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// What it is compared with, as Git names commits; without it `HEAD`.
    #[serde(default)]
    pub rev: Option<String>,
}

/// What `attractor.semanticDiff` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SemanticDiffResult {
    /// The full hash of the commit.
    pub commit: String,
    /// The text of the file in that commit; missing if the commit does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_text: Option<String>,
    /// Whether the file means something else: `added` without an old version, `changed`, or `unchanged`.
    pub status: String,
    /// The changes, what the pipelines may do first.
    pub changes: Vec<SemanticChange>,
    /// The same as Markdown.
    pub markdown: String,
}

/// One change.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SemanticChange {
    /// The pipeline.
    pub pipeline: String,
    /// `+` for what was added, `-` for what was removed, else `~`.
    pub mark: String,
    /// What has changed, in words.
    pub title: String,
    /// Whether it is about what the pipeline may do or cost: commands, permissions, limits, models.
    pub effect: bool,
    /// Where it is in the old text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub old_range: Option<Range>,
    /// Where it is in the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "super::reference::range"))]
    pub range: Option<Range>,
}
