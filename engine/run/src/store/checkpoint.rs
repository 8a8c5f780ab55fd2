//! Snapshots of a state, and the checkpoint files other Attractor programs write.
//!
//! The journal is the truth; a snapshot spares reading all of it, and names a point to go on from. [`Exported`] is the shape of `checkpoint_<ms>.json` of the Attractor API reference
//! (`pipeline_name`, `current_node`, `context`, `completed_nodes`, `timestamp`) with `next_node` added.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::journal::Position;
use crate::disk::Disk;
use crate::error::RunError;
use crate::machine::State;
use crate::snapshot::RunSnapshot;

/// The state after an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Snapshot {
    /// The last event in it.
    pub(crate) seq: u64,
    /// Where the run goes on: the node of its main lane; none at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
    /// Where the journal was then.
    #[serde(default)]
    pub(crate) journal: Position,
    /// What readers knew then.
    #[serde(default)]
    pub(crate) view: RunSnapshot,
    /// The nodes that count as done in it.
    #[serde(default)]
    pub(crate) counted: Vec<String>,
    pub(crate) state: State,
}

/// A checkpoint as other programs know it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Exported {
    pub(crate) pipeline_name: String,
    pub(crate) current_node: String,
    #[serde(default)]
    pub(crate) context: BTreeMap<String, Value>,
    #[serde(default)]
    pub(crate) completed_nodes: Vec<String>,
    /// Seconds since 1970.
    #[serde(default)]
    pub(crate) timestamp: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next_node: Option<String>,
}

impl Snapshot {
    pub(crate) fn save(&self, path: &Path, disk: &dyn Disk) -> Result<(), RunError> {
        let json = serde_json::to_vec(self).map_err(io::Error::other);
        json.and_then(|json| disk.replace(path, &json))
            .map_err(RunError::io("cannot write", path))
    }

    pub(crate) fn load(path: &Path) -> Result<Self, RunError> {
        read(path, "a checkpoint of a run")
    }

    /// The same with a view that counts on.
    pub(crate) fn recounted(mut self) -> Self {
        self.view.count(&self.counted);
        self
    }
}

impl Exported {
    /// Writes `checkpoint_<ms>.json` into `folder`; a name that is taken moves on by a millisecond.
    pub(crate) fn save(
        &self,
        folder: &Path,
        millis: i64,
        disk: &dyn Disk,
    ) -> Result<PathBuf, RunError> {
        fs::create_dir_all(folder).map_err(RunError::io("cannot make", folder))?;
        let path = (millis..i64::MAX)
            .map(|millis| folder.join(format!("checkpoint_{millis}.json")))
            .find(|path| !path.exists())
            .unwrap_or_else(|| folder.join("checkpoint.json"));
        let json = serde_json::to_vec_pretty(self).map_err(io::Error::other);
        json.and_then(|json| disk.replace(&path, &json))
            .map_err(RunError::io("cannot write", &path))?;
        Ok(path)
    }

    pub(crate) fn load(path: &Path) -> Result<Self, RunError> {
        read(
            path,
            "a checkpoint file (`pipeline_name`, `current_node`, `context`, …)",
        )
    }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path, expected: &'static str) -> Result<T, RunError> {
    let text = fs::read(path).map_err(RunError::io("cannot read", path))?;
    serde_json::from_slice(&text).map_err(|error| RunError::Format {
        path: path.to_owned(),
        expected,
        reason: error.to_string(),
    })
}
