//! What the sessions of a connection have in common.

/// What sessions are started with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AcpOptions {
    /// The model, by id or alias; by default the provider's newest.
    pub model: Option<String>,
    /// The provider of the model.
    pub provider: Option<String>,
}
