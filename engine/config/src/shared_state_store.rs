//! Where the agents of a run keep what they share.

/// Where the agents of a run keep what they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SharedStateStore {
    /// JSON files.
    #[default]
    Json,
    /// A `SQLite` database, which several processes may read and write at the same time.
    Sqlite,
}

impl SharedStateStore {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Json, Self::Sqlite];

    /// As the configuration spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Sqlite => "sqlite",
        }
    }

    /// The store of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|store| store.name() == name)
    }
}
