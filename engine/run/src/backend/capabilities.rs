//! What the agent of a node may do to the machine it runs on, for a person who decides about the run.

use std::fmt;

/// What an agent may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCapabilities {
    /// The files that it may change.
    pub edits: EditScope,
    /// The commands that it may run.
    pub shell: ShellScope,
    /// The hosts that it may fetch pages from without asking, as patterns.
    pub web: Vec<String>,
}

/// The files that an agent may change; the wider the greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EditScope {
    /// None.
    Nothing,
    /// Those that one of these patterns matches.
    Paths(Vec<String>),
    /// Those of its folder.
    Workspace,
}

/// The commands that an agent may run; the less confined the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ShellScope {
    /// None.
    Nothing,
    /// Any, in a sandbox.
    Sandboxed {
        /// Whether they reach the network.
        network: bool,
    },
    /// Those that a person or the configuration allows, as the user.
    Unconfined,
    /// What another program decides.
    Foreign,
}

impl fmt::Display for AgentCapabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edits = match &self.edits {
            EditScope::Nothing => "nothing".to_owned(),
            EditScope::Paths(paths) => paths.join(", "),
            EditScope::Workspace => "workspace".to_owned(),
        };
        let shell = match self.shell {
            ShellScope::Nothing => "none",
            ShellScope::Sandboxed { network: false } => "sandboxed, no network",
            ShellScope::Sandboxed { network: true } => "sandboxed, with network",
            ShellScope::Unconfined => "not sandboxed, asks unless the configuration allows it",
            ShellScope::Foreign => "as its program decides",
        };
        write!(f, "may edit: {edits} · shell: {shell}")?;
        match self.web.as_slice() {
            [] => Ok(()),
            hosts => write!(f, " · web without asking: {}", hosts.join(", ")),
        }
    }
}
