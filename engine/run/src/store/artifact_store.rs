//! The large values of a run, for programs: each is a file named by the hash of its content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::{Disk, RealDisk, sha256};

use crate::error::RunError;
use crate::store::Layout;

/// Values over 100 KB that a run keeps in files (`artifacts/`). The context has a reference to each: a table whose
/// `$artifact` is its id.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let run = tempfile::tempdir()?;
/// use attractor_run::ArtifactStore;
/// let store = ArtifactStore::of_run(run.path());
/// let id = store.store("a long text")?;
/// assert_eq!(store.get(&id)?.as_deref(), Some("a long text"));
/// assert_eq!(store.list()?, [id.clone()]);
/// assert!(store.remove(&id)?);
/// assert_eq!(store.get(&id)?, None);
/// assert_eq!(store.get("../manifest.json")?, None);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactStore {
    folder: PathBuf,
}

impl ArtifactStore {
    /// The values of the run in `directory`.
    pub fn of_run(directory: &Path) -> Self {
        Self {
            folder: Layout::new(directory.to_owned()).artifacts(),
        }
    }

    /// Keeps a text; durable when this returns. Gives its id.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn store(&self, text: &str) -> Result<String, RunError> {
        let id = sha256(text);
        let path = self.folder.join(&id);
        if !path.exists() {
            fs::create_dir_all(&self.folder).map_err(RunError::io("cannot make", &self.folder))?;
            let written = RealDisk.replace(&path, text.as_bytes());
            written.map_err(RunError::io("cannot write", &path))?;
        }
        Ok(id)
    }

    /// The text of that id: a string as it is, any other value as JSON.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn get(&self, id: &str) -> Result<Option<String>, RunError> {
        let Some(path) = self.path(id) else {
            return Ok(None);
        };
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file()) {
            return Err(RunError::NotOwn { path });
        }
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            text => Ok(Some(text.map_err(RunError::io("cannot read", &path))?)),
        }
    }

    /// The ids of all values, in their order.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn list(&self) -> Result<Vec<String>, RunError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(RunError::io("cannot read", &self.folder))?,
        };
        let mut ids: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| is_id(name))
            .collect();
        ids.sort();
        Ok(ids)
    }

    /// Removes a value. A reference to it reads as `null` from then on.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(&self, id: &str) -> Result<bool, RunError> {
        let Some(path) = self.path(id) else {
            return Ok(false);
        };
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed
                .map(|()| true)
                .map_err(RunError::io("cannot remove", &path)),
        }
    }

    /// Only what is a hash is a file here.
    fn path(&self, id: &str) -> Option<PathBuf> {
        is_id(id).then(|| self.folder.join(id))
    }
}

fn is_id(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
