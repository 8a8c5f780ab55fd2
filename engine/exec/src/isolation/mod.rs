//! A sandbox for the commands of an agent, who may obey an attacker.
//!
//! By bubblewrap where it works: the file system is read-only except for the workspace and a private `/tmp`, the
//! network, `/run` and other processes are out of reach, and folders with credentials are empty. Else by Landlock, which
//! can only add rights: the same without private `/proc`, with credentials readable, and of the network only TCP is
//! refused. Files that make Git or this program run something are write-protected by mounts, and in every mode compared
//! after each command (`protected`), because Landlock cannot exclude them from a writable workspace.

mod bubblewrap;
mod environment;
mod landlock;
mod protected;
mod settings;
mod support;

pub use environment::SandboxedEnvironment;
pub(crate) use landlock::spawn_confined;
pub use settings::{Confinement, SandboxSettings};
pub use support::SandboxSupport;
