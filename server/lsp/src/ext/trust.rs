//! Commands about what a run can do, and who allowed it.

use lsp_types::Uri;
use serde::{Deserialize, Serialize};

/// What `attractor.consent` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConsentArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The pipeline; may be left out when the document holds one.
    #[serde(default)]
    pub graph: Option<String>,
}

/// What `attractor.consent` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentResult {
    /// A document to show with everything a run can do; it is not to be edited.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// Whether the pipeline may run without another question.
    pub trusted: bool,
    /// The question the server would ask, with the numbers.
    pub question: String,
    /// What is different from the version last approved, as a unified diff; missing when none was approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_since_approved: Option<String>,
}

/// What `attractor.trust` takes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrustArgs {
    /// The document.
    #[cfg_attr(test, schemars(with = "String"))]
    pub uri: Uri,
    /// The choice.
    pub decision: TrustDecision,
}

/// A user's choice about a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TrustDecision {
    /// The next run only.
    Once,
    /// Until the file, a sub-pipeline or an `@file` changes.
    Version,
    /// Everything in its workspace folder.
    Folder,
    /// Take back every choice about it.
    Revoke,
}

/// What `attractor.trust` answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrustResult {
    /// Whether the document may run now.
    pub trusted: bool,
}
