//! Who serves models.

use serde::{Deserialize, Serialize};

/// A provider: an API and the names of its models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Its id, as attributes and configuration name it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Other ids for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What the names of its models begin with.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// The environment variables that may hold its key; the first one that is set wins.
    #[serde(default)]
    pub key_variables: Vec<String>,
    /// Where its API is, if that is the same for everybody.
    pub base_url: Option<String>,
    /// The environment variable that overrides `base_url`.
    pub base_url_variable: Option<String>,
    /// The model whose rules apply to models that are not listed.
    pub newest: Option<String>,
}

impl Provider {
    /// Whether it goes by that id or alias.
    pub fn is_named(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
    }
}
