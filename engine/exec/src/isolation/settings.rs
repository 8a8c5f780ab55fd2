//! What a sandbox allows.

use std::path::PathBuf;

use attractor_permissions::SandboxMode;

use super::capabilities::Capabilities;

/// What a sandbox allows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SandboxSettings {
    /// What may be written.
    pub mode: SandboxMode,
    /// Whether the network can be reached.
    pub network: bool,
    /// Further folders that may be written: caches of build tools.
    pub writable: Vec<PathBuf>,
    /// What commands may do with repositories.
    pub repository: RepositoryAccess,
    /// Whether Git runs the hooks of repositories where the engine calls it for a command.
    pub hooks: HookAccess,
}

impl SandboxSettings {
    /// Whether commands write the workspace.
    pub(super) fn writes(&self) -> bool {
        self.mode != SandboxMode::ReadOnly
    }
}

/// What commands may do with `.git`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RepositoryAccess {
    /// They read it, and hand what they want to write to the engine.
    #[default]
    ReadOnly,
    /// They write it, except for hooks and settings.
    Writable,
}

/// Whether hooks of repositories run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HookAccess {
    /// They do not.
    #[default]
    Off,
    /// They run in the sandbox of the engine, which can write the repository.
    Run,
}

/// How a command is kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confinement {
    /// By Landlock and a filter of system calls.
    Landlock(LandlockRules),
    /// Its first process starts the rest in a process namespace, and ends all of it when it ends itself.
    Namespace,
}

/// What Landlock and the filter of system calls allow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LandlockRules {
    /// What may be written; what does not exist is left out.
    pub writable: Vec<PathBuf>,
    /// Whether the network can be reached.
    pub network: bool,
    /// What root keeps of its capabilities.
    pub capabilities: Capabilities,
}

/// The version of Landlock that keeps signals and abstract Unix sockets in.
pub(crate) const WITH_SCOPES: i32 = 6;
