//! The configuration: `.attractor/config.toml` of a project and the user's own file, read together.
//!
//! The command line and the language server read it by this code, so a file means the same to both. Nothing in a file
//! is ignored: an unknown key is a [`Problem`] with its position. [`Configuration`] keeps its files apart, so that every
//! value can be traced to the one that sets it.
//!
//! ```
//! use attractor_config::{ConfigFile, Owner};
//! let (file, problems) = ConfigFile::parse("[lints]\ncycel = \"allow\"", Owner::Project);
//! assert_eq!(problems[0].to_string(), "2:1: unknown rule `cycel`; did you mean `cycle`?");
//! assert_eq!(file, ConfigFile::default());
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        reason = "tests fail by panicking"
    )
)]

mod agent_policy;
mod configuration;
mod file;
mod language_server_mode;
mod locations;
mod owner;
pub mod schema;
mod shared_state_store;
mod text;

pub use agent_policy::AgentPolicy;
/// The options of the formatter, as files and command lines name them.
pub use attractor_dot::format::settings as format;
pub use configuration::{Configuration, Layer};
pub use file::{
    AcpSettings, AgentSettings, ConfigFile, McpSettings, ModelSettings, NotifiedRuns, NotifyEvent,
    NotifySettings, NotifyTarget, OnRateLimit, Problem, ProviderSettings, ServeSettings,
    SubagentLimits,
};
pub use language_server_mode::LanguageServerMode;
pub use locations::{PROJECT_FILE, state_folder, user_file};
pub use owner::Owner;
pub use shared_state_store::SharedStateStore;
