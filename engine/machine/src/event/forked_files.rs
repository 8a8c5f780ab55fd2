//! Which files a forked run works on.

use serde::{Deserialize, Serialize};

/// Which files a forked run works on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ForkedFiles {
    /// Those of the workspace, which are as they were at that moment.
    #[default]
    Unchanged,
    /// Those of the workspace, which are not as they were.
    Kept,
    /// Those of the workspace; how they were was not recorded.
    NotRecorded,
    /// Those of the workspace, which have their content of that moment again.
    Restored,
    /// Those of that moment, in this folder.
    Folder(String),
}

impl ForkedFiles {
    /// What follows `forked from RUN at NODE`; empty where nothing is to be said.
    pub fn summary(&self) -> String {
        match self {
            Self::Unchanged => String::new(),
            Self::Kept => ", with the files as they are".to_owned(),
            Self::NotRecorded => {
                ", with the files as they are (those of that moment were not recorded)".to_owned()
            }
            Self::Restored => ", with the files of that moment restored".to_owned(),
            Self::Folder(folder) => format!(", in {folder}"),
        }
    }
}
