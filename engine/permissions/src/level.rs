//! What a rule says: `allow`, `ask` or `deny`.

use std::fmt;

/// What a rule says, from the widest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The call runs.
    Allow,
    /// A person is asked; with nobody to ask the call is denied.
    Ask,
    /// The call is refused.
    Deny,
}

impl Level {
    /// All of them, from the widest to the strictest.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// As the configuration spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }

    /// The level of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
