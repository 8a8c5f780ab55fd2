//! What an attempt of a node asked of a model, and what answered.

use serde::{Deserialize, Serialize};

/// The model call of one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", default)]
pub struct ModelCall {
    /// What made it: `native`, `simulate`.
    pub backend: String,
    /// Why the answer is simulated; absent where a model was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<String>,
    /// The provider that was really used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The model that was really used, as the provider names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Why the model stopped: `stop`, `length`, `content_filter`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
    /// The provider's id of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_id: Option<String>,
    /// The HTTP status of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The kind of an error: `rate_limit`, `authentication`, `network`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What an agent changed, and what verified it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<String>,
    /// What of the request was left out or changed, and what else a user should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
