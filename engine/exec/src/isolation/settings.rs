//! What a sandbox allows.

use std::path::PathBuf;

use attractor_permissions::SandboxMode;

/// What a sandbox allows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SandboxSettings {
    /// What may be written.
    pub mode: SandboxMode,
    /// Whether the network can be reached.
    pub network: bool,
    /// Further folders that may be written: caches of build tools.
    pub writable: Vec<PathBuf>,
}

/// What a process is confined to by Landlock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confinement {
    /// What may be written; what does not exist is left out.
    pub writable: Vec<PathBuf>,
    /// Whether TCP is allowed.
    pub network: bool,
}
