//! What every adapter can do, and how it fails.

use serde_json::Value;

/// Why something could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum PersistenceError {
    /// A file or folder.
    #[error("cannot {what} `{path}`: {cause}")]
    File {
        /// What was tried: `read`, `write`.
        what: &'static str,
        /// The file.
        path: String,
        /// Why it failed.
        cause: std::io::Error,
    },
    /// A stored value is damaged.
    #[error("the stored value of `{key}` cannot be read: {cause}; delete it to start without it")]
    Damaged {
        /// Its key.
        key: String,
        /// What is wrong.
        cause: serde_json::Error,
    },
    /// A database.
    #[error("the database `{path}` failed: {problem}")]
    Database {
        /// Its file.
        path: String,
        /// What it reports.
        problem: String,
    },
}

/// Keeps values by key.
pub trait PersistenceAdapter: std::fmt::Debug + Send + Sync {
    /// Keeps a value in place of the one before.
    ///
    /// # Errors
    /// It cannot be written.
    fn save(&self, key: &str, value: &Value) -> Result<(), PersistenceError>;

    /// The value of a key; none if there is none.
    ///
    /// # Errors
    /// It cannot be read.
    fn load(&self, key: &str) -> Result<Option<Value>, PersistenceError>;

    /// All keys, in order.
    ///
    /// # Errors
    /// They cannot be read.
    fn list_keys(&self) -> Result<Vec<String>, PersistenceError>;

    /// Removes a value; says whether there was one.
    ///
    /// # Errors
    /// It cannot be removed.
    fn delete(&self, key: &str) -> Result<bool, PersistenceError>;

    /// Whether there is a value.
    ///
    /// # Errors
    /// That cannot be found out.
    fn exists(&self, key: &str) -> Result<bool, PersistenceError>;
}

/// A stored value.
pub(super) fn parse(key: &str, text: &str) -> Result<Value, PersistenceError> {
    serde_json::from_str(text).map_err(|cause| PersistenceError::Damaged {
        key: key.to_owned(),
        cause,
    })
}
