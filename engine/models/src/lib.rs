//! The catalogue of language models, as data: providers, context windows, output limits, inputs, reasoning styles,
//! prices, aliases, dates of retirement. The editor, the lints and the client read the same table.
//!
//! It never does IO, reads no clock, and refuses no name: a model it does not list takes the rules of its
//! provider's newest model, because providers publish models faster than tools learn of them.
//!
//! ```
//! use attractor_models::Catalogue;
//!
//! let catalogue = Catalogue::shipped();
//! let opus = catalogue.model("opus").expect("an alias");
//! assert_eq!(opus.id, "claude-opus-5-5");
//! assert_eq!(catalogue.provider_of("gpt-9-nova").expect("a prefix").id, "openai");
//! let future = catalogue.resolve("claude-opus-9", None).expect("a prefix");
//! assert!(!future.is_listed);
//! assert_eq!(future.rules.max_output, opus.max_output);
//! ```

#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::float_cmp,
        clippy::needless_pass_by_value,
        reason = "tests fail by panicking"
    )
)]

mod catalogue;
mod date;
mod declared;
mod error;
mod file;
mod model;
mod price;
mod provider;

pub use catalogue::{Catalogue, ResolvedModel};
pub use date::{Date, Lifecycle};
pub use declared::DeclaredModel;
pub use error::CatalogueError;
pub use model::{
    CacheStyle, Effort, Input, Model, PromptCache, Reasoning, ReasoningStyle, Sampling,
};
pub use price::{Price, Rates, TokenCounts};
pub use provider::Provider;
