//! Names of runs: ULIDs, so that a directory listing is in order of start.
//!
//! An id comes from the outside (a command line, an editor) as text; it is parsed once here, so no
//! other file has to wonder whether `../..` is a run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// The id of a run, 26 characters of Crockford base 32: `01JD2Z6V0QK3M5T7W9X1B3D5F7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// A new id; ids of one machine sort by the time they were made.
    pub fn generate() -> Self {
        Self(Ulid::generate().to_string())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RunId {
    type Err = NotARunId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match Ulid::from_string(text) {
            Ok(id) => Ok(Self(id.to_string())),
            Err(_) => Err(NotARunId(text.to_owned())),
        }
    }
}

impl TryFrom<String> for RunId {
    type Error = NotARunId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not a run id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a run id: expected 26 letters and digits")]
pub struct NotARunId(String);
