//! What can be wrong with a catalogue file.

use thiserror::Error;

/// A catalogue file that cannot be used; the catalogue it was to be merged into is unchanged.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueError {
    /// Not TOML, an unknown key, or a value of the wrong type.
    #[error("invalid model catalogue: {0}")]
    Syntax(String),
    /// A model without a provider, and without a model to take it from.
    #[error("model `{model}` has no provider; set `provider` or `like`")]
    MissingProvider {
        /// The model.
        model: String,
    },
    /// A model of an undefined provider.
    #[error("model `{model}` names the unknown provider `{provider}`; known providers: {known}")]
    UnknownProvider {
        /// The model.
        model: String,
        /// What it names.
        provider: String,
        /// The ids there are, separated by commas.
        known: String,
    },
    /// `like`, `successor` or `newest` names a model that is not listed before it is needed.
    #[error("`{owner}` refers to the unknown model `{name}` in `{key}`")]
    UnknownModel {
        /// The model or provider that refers.
        owner: String,
        /// The key.
        key: &'static str,
        /// The name.
        name: String,
    },
    /// A declared model with half a price.
    #[error(
        "model `{model}` has a price for input or output only; set `input_price` and `output_price`"
    )]
    HalfPrice {
        /// The model.
        model: String,
    },
    /// Two models share an id or an alias.
    #[error(
        "the name `{name}` belongs to both `{first}` and `{second}`; names of models must be unique"
    )]
    DuplicateName {
        /// The name.
        name: String,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
}
