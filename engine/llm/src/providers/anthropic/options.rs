//! Settings of the adapter.

/// Settings of the adapter.
#[derive(Debug, Clone)]
pub struct AnthropicOptions {
    /// The version of the API. From `2026-10-21` on it rejects sampling parameters.
    pub version: String,
    /// Whether to set breakpoints for prompt caching.
    pub prompt_caching: bool,
}

impl Default for AnthropicOptions {
    fn default() -> Self {
        Self {
            version: "2023-06-01".to_owned(),
            prompt_caching: true,
        }
    }
}
