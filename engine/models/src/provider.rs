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
    /// One line.
    #[serde(default)]
    pub summary: String,
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
    /// A server that the catalogue does not list, of which nothing is known but its name.
    pub fn unlisted(name: &str) -> Self {
        Self {
            id: name.to_owned(),
            name: name.to_owned(),
            summary: String::new(),
            aliases: Vec::new(),
            prefixes: Vec::new(),
            key_variables: Vec::new(),
            base_url: None,
            base_url_variable: None,
            newest: None,
        }
    }

    /// Its id and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    /// Whether it goes by that id or alias.
    pub fn is_named(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }
}
