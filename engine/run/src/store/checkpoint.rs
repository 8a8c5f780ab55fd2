//! Snapshots of a state. The journal is the truth; a snapshot spares reading all of it, and names a point to
//! continue from.

use std::io;
use std::path::Path;

use attractor_exec::{Disk, read_regular};
use attractor_machine::snapshot::RunSnapshot;
use attractor_machine::transition::State;
use serde::{Deserialize, Serialize};

use super::journal::Position;
use crate::error::RunError;

/// The state after an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Snapshot {
    /// The last event in it.
    pub(crate) seq: u64,
    /// Where the run continues: the node of its main frame; none at its end.
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

impl Snapshot {
    /// The state after the events that `view` has seen.
    pub(crate) fn of(state: &State, view: RunSnapshot, journal: Position) -> Self {
        let main = state.frames.values().find(|frame| frame.parent.is_none());
        Self {
            seq: view.last,
            next: main.map(|frame| frame.node.clone()),
            journal,
            counted: view.counted(),
            view,
            state: state.clone(),
        }
    }

    /// The same of a run with the same history.
    pub(crate) fn of_run(mut self, id: &str) -> Self {
        id.clone_into(&mut self.view.run);
        id.clone_into(&mut self.state.run);
        self.state.contexts.give("internal.run_id", id);
        self
    }

    pub(crate) fn save(&self, path: &Path, disk: &dyn Disk) -> Result<(), RunError> {
        let json = serde_json::to_vec(self).map_err(io::Error::other);
        json.and_then(|json| disk.replace(path, &json))
            .map_err(RunError::io("cannot write", path))
    }

    pub(crate) fn load(path: &Path) -> Result<Self, RunError> {
        let text = read_regular(path).map_err(RunError::io("cannot read", path))?;
        serde_json::from_slice(&text).map_err(|error| RunError::Format {
            path: path.to_owned(),
            expected: "a checkpoint of a run",
            reason: error.to_string(),
        })
    }

    /// The same with a view that counts on.
    pub(crate) fn recounted(mut self) -> Self {
        self.view.count(&self.counted);
        self
    }
}
