//! Rules on what an agent may do: `shell(cargo test*) = "allow"`, `write(src/**) = "ask"`.
//!
//! Pure: texts in, a [`Decision`] out. The configuration, the lints and the agent read the same rules here.
//!
//! ```
//! use attractor_permissions::{Action, Call, Level, Rule, Rules};
//! let rules: Rules = [Rule::parse("shell", Level::Ask)?, Rule::parse("shell(cargo test*)", Level::Allow)?]
//!     .into_iter()
//!     .collect();
//! let level = |command| rules.decide(&Call::new("shell", Action::Execute(command)), Level::Deny).level;
//! assert_eq!(level("cargo test --lib | tail"), Level::Ask);
//! assert_eq!(level("cd sub && cargo test --lib"), Level::Allow);
//! # Ok::<(), attractor_permissions::RuleError>(())
//! ```
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "tests fail by panicking"))]

mod call;
mod command;
mod excess;
mod files;
mod level;
mod narrowing;
mod paths;
mod pattern;
mod protected;
mod rule;
mod rules;
mod sandbox_mode;
mod script_rules;
mod self_executing;

pub use call::{Action, Call};
pub use command::{Command, Script, Word};
pub use excess::{ConfiguredPermissions, Excess};
pub use level::Level;
pub use narrowing::{FileAccess, Narrowing, NarrowingAttributes, NarrowingError};
pub use protected::is_protected;
pub use rule::{Rule, RuleError, Subject};
pub use rules::{Decision, Rules};
pub use sandbox_mode::SandboxMode;
pub use self_executing::is_self_executing;
