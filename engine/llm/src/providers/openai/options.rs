//! Settings of the adapter.

/// Settings of the adapter.
#[derive(Debug, Clone, Default)]
pub struct OpenAiOptions {
    /// Whether the provider keeps responses on its side. Reasoning is sent back encrypted where it does not.
    pub store: bool,
}
