//! Checkpoint files: `checkpoint_<ms>.json`, one after each node, in the shape of the Attractor API reference
//! (`pipeline_name`, `current_node`, `context`, `completed_nodes`, `timestamp`) with `next_node` added.
//!
//! They are for other programs and for moving a run by hand; what a run itself needs is in its journal.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! use attractor_run::Checkpoint;
//! let checkpoint = Checkpoint {
//!     pipeline_name: "release".into(),
//!     current_node: "build".into(),
//!     timestamp: 1_700_000_000.5,
//!     ..Checkpoint::default()
//! };
//! let path = checkpoint.save(folder.path())?;
//! assert!(path.ends_with("checkpoint_1700000000500.json"));
//! assert_eq!(Checkpoint::list(folder.path())?, [path]);
//! assert_eq!(Checkpoint::latest(folder.path())?, Some(checkpoint));
//! # Ok(())
//! # }
//! ```

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::{Disk, RealDisk};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::RunError;

/// A point of a run from which a new run can begin.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The pipeline's name.
    pub pipeline_name: String,
    /// The node that was done last, or that is to be run when it is not among `completed_nodes`.
    pub current_node: String,
    /// The context.
    #[serde(default)]
    pub context: BTreeMap<String, Value>,
    /// The nodes that have succeeded, in order.
    #[serde(default)]
    pub completed_nodes: Vec<String>,
    /// Seconds since 1970.
    #[serde(default)]
    pub timestamp: f64,
    /// The node to run next. Without one, the run continues behind `current_node`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_node: Option<String>,
}

const EXPECTED: &str = "a checkpoint file (`pipeline_name`, `current_node`, `context`, …)";

impl Checkpoint {
    /// Writes it to `checkpoint_<ms>.json` in `folder`, which is made if need be, by its timestamp; a name that
    /// is taken moves on by a millisecond. Gives the file's path.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, RunError> {
        self.save_on(&RealDisk, folder)
    }

    pub(crate) fn save_on(&self, disk: &dyn Disk, folder: &Path) -> Result<PathBuf, RunError> {
        fs::create_dir_all(folder).map_err(RunError::io("cannot make", folder))?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "milliseconds since 1970 fit for a while"
        )]
        let millis = (self.timestamp * 1000.0).round() as i64;
        let path = (millis..i64::MAX)
            .map(|millis| folder.join(format!("{PREFIX}{millis}{SUFFIX}")))
            .find(|path| !path.exists())
            .unwrap_or_else(|| folder.join("checkpoint.json"));
        let json = serde_json::to_vec_pretty(self).map_err(io::Error::other);
        json.and_then(|json| disk.replace(&path, &json))
            .map_err(RunError::io("cannot write", &path))?;
        Ok(path)
    }

    /// Reads a checkpoint file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a checkpoint.
    pub fn load(path: &Path) -> Result<Self, RunError> {
        let text = fs::read(path).map_err(RunError::io("cannot read", path))?;
        serde_json::from_slice(&text).map_err(|error| RunError::Format {
            path: path.to_owned(),
            expected: EXPECTED,
            reason: error.to_string(),
        })
    }

    /// The checkpoint files of `folder`, newest first; none when there is no such folder.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn list(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(RunError::io("cannot read", folder))?,
        };
        let mut found: Vec<(i64, PathBuf)> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter_map(|path| Some((millis_of(&path)?, path)))
            .collect();
        found.sort_by_key(|(millis, _)| Reverse(*millis));
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    /// The newest checkpoint of `folder` that can be read; none when there is no file.
    ///
    /// # Errors
    /// The folder cannot be read, or none of its checkpoint files can.
    pub fn latest(folder: &Path) -> Result<Option<Self>, RunError> {
        let mut first_error = None;
        for path in Self::list(folder)? {
            match Self::load(&path) {
                Ok(checkpoint) => return Ok(Some(checkpoint)),
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        first_error.map_or(Ok(None), Err)
    }
}

const PREFIX: &str = "checkpoint_";
const SUFFIX: &str = ".json";

/// The time in the name of a checkpoint file.
fn millis_of(path: &Path) -> Option<i64> {
    let name = path.file_name()?.to_str()?;
    let millis = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    millis.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(timestamp: f64, node: &str) -> Checkpoint {
        Checkpoint {
            current_node: node.to_owned(),
            timestamp,
            ..Checkpoint::default()
        }
    }

    #[test]
    fn the_newest_is_first_and_names_never_collide() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("points");
        assert_eq!(Checkpoint::list(&nowhere).unwrap(), Vec::<PathBuf>::new());
        assert_eq!(Checkpoint::latest(&nowhere).unwrap(), None);
        for (timestamp, node) in [(9.0, "a"), (10.0, "b"), (10.0, "c")] {
            at(timestamp, node).save(&nowhere).unwrap();
        }
        fs::write(nowhere.join("checkpoint_notes.json"), "{}").unwrap();
        let names: Vec<_> = Checkpoint::list(&nowhere)
            .unwrap()
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        // By number: as text, 9000 would come last.
        assert_eq!(
            names,
            [
                "checkpoint_10001.json",
                "checkpoint_10000.json",
                "checkpoint_9000.json"
            ]
        );
        assert_eq!(Checkpoint::latest(&nowhere).unwrap(), Some(at(10.0, "c")));
    }

    #[test]
    fn a_torn_file_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("checkpoint_2000.json"), "{\"pipe").unwrap();
        assert!(Checkpoint::latest(folder.path()).is_err());
        at(1.0, "a").save(folder.path()).unwrap();
        let latest = Checkpoint::latest(folder.path()).unwrap();
        assert_eq!(latest, Some(at(1.0, "a")));
    }
}
