//! The engine as a library: what is needed to run pipelines, with language models behind their prompts.
//!
//! The executor (`attractor-run`) knows no language model and the client (`attractor-llm`) knows no pipeline; this crate
//! connects them. [`Providers`] are the models that environment and configuration give access to, and [`NativeBackend`]
//! answers the prompts of a run with them.
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        clippy::panic,
        reason = "tests fail by panicking"
    )
)]

mod native;
mod providers;

pub use native::NativeBackend;
pub use providers::{ProviderStatus, Providers};
