//! Whether agents start language servers.

/// Whether agents start the language servers of this machine, from the widest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum LanguageServerMode {
    /// Also without a sandbox.
    Always,
    /// In a sandbox that keeps them in the workspace.
    #[default]
    Sandboxed,
    /// Never.
    Off,
}

impl LanguageServerMode {
    /// All of them, from the widest to the strictest.
    pub const ALL: [Self; 3] = [Self::Always, Self::Sandboxed, Self::Off];

    /// As the configuration spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Sandboxed => "sandboxed",
            Self::Off => "off",
        }
    }

    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
