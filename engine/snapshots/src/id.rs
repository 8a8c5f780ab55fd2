//! Names of objects.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Characters of a checksum.
const LENGTH: usize = 64;

/// A snapshot, by the checksum of its root folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SnapshotId(String);

impl SnapshotId {
    /// The checksum, hexadecimal.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SnapshotId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for SnapshotId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_checksum = text.len() == LENGTH && text.bytes().all(|one| one.is_ascii_hexdigit());
        if is_checksum {
            Ok(Self(text))
        } else {
            Err(format!(
                "`{text}` is not a snapshot; expected {LENGTH} hexadecimal digits"
            ))
        }
    }
}

impl From<SnapshotId> for String {
    fn from(id: SnapshotId) -> Self {
        id.0
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
