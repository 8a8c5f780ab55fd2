//! Approvals on the disk: one small file in the user's state folder, never in a workspace.
//!
//! The file is read again before each question, so that editors and servers agree, and replaced atomically. A file that cannot
//! be read counts as empty: the user is asked again.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::ApprovalError;

/// The decisions of one user.
#[derive(Debug, Clone)]
pub(super) struct ApprovalStore {
    path: PathBuf,
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Decisions {
    /// Folders, with symbolic links resolved, under which everything may run.
    folders: BTreeSet<PathBuf>,
    /// Files with the content they were trusted with.
    versions: BTreeSet<Version>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Version {
    file: PathBuf,
    /// The pipeline: a file may hold several.
    #[serde(default)]
    graph: String,
    fingerprint: String,
}

impl ApprovalStore {
    /// The decisions stored in `folder`.
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            path: folder.join("trust.json"),
        }
    }

    /// Whether a pipeline of `file` may run as it is now.
    pub(super) fn trusts(&self, file: &Path, graph: &str, fingerprint: &str) -> bool {
        let decisions = self.read();
        decisions
            .folders
            .iter()
            .any(|folder| file.starts_with(folder))
            || decisions.versions.contains(&Version {
                file: file.to_owned(),
                graph: graph.to_owned(),
                fingerprint: fingerprint.to_owned(),
            })
    }

    /// From now on a pipeline of `file` may run as long as its fingerprint is this one.
    pub(super) fn trust_version(
        &self,
        file: &Path,
        graph: &str,
        fingerprint: &str,
    ) -> Result<(), ApprovalError> {
        self.change(|decisions| {
            let is_other = |version: &Version| version.file != file || version.graph != graph;
            decisions.versions.retain(is_other);
            decisions.versions.insert(Version {
                file: file.to_owned(),
                graph: graph.to_owned(),
                fingerprint: fingerprint.to_owned(),
            });
        })
    }

    /// From now on everything under `folder` may run.
    pub(super) fn trust_folder(&self, folder: &Path) -> Result<(), ApprovalError> {
        self.change(|decisions| {
            decisions.folders.insert(folder.to_owned());
        })
    }

    /// Removes every decision that allows `file` to run.
    pub(super) fn revoke(&self, file: &Path) -> Result<(), ApprovalError> {
        self.change(|decisions| {
            decisions.versions.retain(|version| version.file != file);
            decisions.folders.retain(|folder| !file.starts_with(folder));
        })
    }

    fn read(&self) -> Decisions {
        std::fs::read(&self.path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    fn change(&self, edit: impl FnOnce(&mut Decisions)) -> Result<(), ApprovalError> {
        let mut decisions = self.read();
        edit(&mut decisions);
        self.write(&decisions)
            .map_err(|error| ApprovalError::new(&self.path, &error))
    }

    fn write(&self, decisions: &Decisions) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(decisions)?)?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, ApprovalStore) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = ApprovalStore::new(&folder.path().join("state"));
        (folder, store)
    }

    #[test]
    fn a_version_is_trusted_until_it_changes() {
        let (_folder, store) = store();
        let file = Path::new("/project/release.dot");
        assert!(!store.trusts(file, "a", "one"));
        store.trust_version(file, "a", "one").expect("written");
        assert!(store.trusts(file, "a", "one"));
        assert!(!store.trusts(file, "a", "two"), "the file changed");
        assert!(
            !store.trusts(Path::new("/other/release.dot"), "a", "one"),
            "the same text elsewhere"
        );
        store.trust_version(file, "b", "one").expect("written");
        assert!(
            store.trusts(file, "a", "one"),
            "another pipeline of the file"
        );
        store.trust_version(file, "a", "two").expect("written");
        assert!(
            !store.trusts(file, "a", "one"),
            "an older version is not trusted any more"
        );
    }

    #[test]
    fn a_trusted_folder_covers_only_files_below_it() {
        let (_folder, store) = store();
        store.trust_folder(Path::new("/project")).expect("written");
        assert!(store.trusts(Path::new("/project/deep/a.dot"), "a", "any"));
        assert!(!store.trusts(Path::new("/project-two/a.dot"), "a", "any"));
        store
            .revoke(Path::new("/project/deep/a.dot"))
            .expect("written");
        assert!(!store.trusts(Path::new("/project/deep/a.dot"), "a", "any"));
    }

    #[test]
    fn a_damaged_file_trusts_nothing_and_is_replaced() {
        let (_folder, store) = store();
        store.trust_folder(Path::new("/project")).expect("written");
        std::fs::write(&store.path, b"{\"folders\": [\"/pro").expect("written");
        assert!(!store.trusts(Path::new("/project/a.dot"), "a", "any"));
        store.trust_folder(Path::new("/other")).expect("written");
        assert!(store.trusts(Path::new("/other/a.dot"), "a", "any"));
    }

    #[test]
    fn only_the_owner_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, store) = store();
        store.trust_folder(Path::new("/project")).expect("written");
        let mode = std::fs::metadata(&store.path)
            .expect("it exists")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
