//! A sandbox for the commands of an agent, who may obey an attacker.
//!
//! By bubblewrap where it works: the file system is read-only except for the workspace and a private `/tmp`, the
//! network, `/run` and other processes are out of reach, and folders with credentials are empty. Else by Landlock, which
//! can only add rights, and a filter of system calls: the same without private `/proc`, and with credentials readable.
//! On macOS by Seatbelt, whose profile refuses the same by paths.
//! Repositories, and files that make this program, an editor or a shell run something, are write-protected by mounts, and
//! in every mode compared after each command and when the work of an agent ends (`protected`), because Landlock cannot
//! exclude them from a writable workspace. What commands create of this kind is set aside then (`repositories`), except for what a tool was allowed to write
//! (`approved`). What each
//! of them promises is a table (`promises`).

mod approved;
mod bubblewrap;
pub(crate) mod capabilities;
mod environment;
mod identity;
mod landlock;
mod link_chain;
mod own;
mod promises;
mod protected;
mod protected_place;
mod repositories;
mod sandbox_place;
mod seatbelt;
mod seatbelt_policy;
mod services;
pub(crate) mod settings;
mod support;

pub(crate) use bubblewrap::spawn_in_namespace;
pub use environment::SandboxedEnvironment;
pub(crate) use landlock::spawn_confined;
pub(crate) use own::{OwnAccess, contain_own};
pub use promises::{AgentSandbox, Isolation};
pub use settings::{Confinement, HookAccess, LandlockRules, RepositoryAccess, SandboxSettings};
pub use support::SandboxSupport;
