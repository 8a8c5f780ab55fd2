//! What commands of an agent may write.

/// What commands of an agent may write, from the widest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum SandboxMode {
    /// Everything the user may.
    Off,
    /// The workspace and a temporary folder.
    #[default]
    WorkspaceWrite,
    /// A temporary folder only.
    ReadOnly,
}

impl SandboxMode {
    /// All of them, from the widest to the strictest.
    pub const ALL: [Self; 3] = [Self::Off, Self::WorkspaceWrite, Self::ReadOnly];

    /// As the configuration spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::WorkspaceWrite => "workspace-write",
            Self::ReadOnly => "read-only",
        }
    }

    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
