//! Where choices about trust are kept: one small file in the user's state folder, never in a workspace.
//!
//! The file is read again before each question, so that two editors agree, and written by replacing it
//! as a whole. A file that cannot be read counts as empty: the person is asked again, nothing runs
//! unasked.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::errors::Refusal;

/// The choices of one user.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    path: PathBuf,
}

/// What stands in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Choices {
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

impl Store {
    /// The choices kept in `folder`.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            path: folder.join("trust.json"),
        }
    }

    /// `$XDG_STATE_HOME/attractor`, else `~/.local/state/attractor` (`%LOCALAPPDATA%\attractor` on
    /// Windows). `None` when the environment names no home at all.
    pub(crate) fn default_folder() -> Option<PathBuf> {
        let named = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        named("XDG_STATE_HOME")
            .or_else(|| named("LOCALAPPDATA"))
            .or_else(|| Some(named("HOME")?.join(".local").join("state")))
            .map(|base| base.join("attractor"))
    }

    /// Whether a pipeline of `file` may run as it is now.
    pub(crate) fn trusts(&self, file: &Path, graph: &str, fingerprint: &str) -> bool {
        let choices = self.read();
        choices
            .folders
            .iter()
            .any(|folder| file.starts_with(folder))
            || choices.versions.contains(&Version {
                file: file.to_owned(),
                graph: graph.to_owned(),
                fingerprint: fingerprint.to_owned(),
            })
    }

    /// From now on a pipeline of `file` may run as long as its fingerprint is this one.
    pub(crate) fn trust_version(
        &self,
        file: &Path,
        graph: &str,
        fingerprint: &str,
    ) -> Result<(), Refusal> {
        self.change(|choices| {
            let is_other = |version: &Version| version.file != file || version.graph != graph;
            choices.versions.retain(is_other);
            choices.versions.insert(Version {
                file: file.to_owned(),
                graph: graph.to_owned(),
                fingerprint: fingerprint.to_owned(),
            });
        })
    }

    /// From now on everything under `folder` may run.
    pub(crate) fn trust_folder(&self, folder: &Path) -> Result<(), Refusal> {
        self.change(|choices| {
            choices.folders.insert(folder.to_owned());
        })
    }

    /// Takes back every choice that lets `file` run.
    pub(crate) fn revoke(&self, file: &Path) -> Result<(), Refusal> {
        self.change(|choices| {
            choices.versions.retain(|version| version.file != file);
            choices.folders.retain(|folder| !file.starts_with(folder));
        })
    }

    fn read(&self) -> Choices {
        std::fs::read(&self.path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    fn change(&self, edit: impl FnOnce(&mut Choices)) -> Result<(), Refusal> {
        let mut choices = self.read();
        edit(&mut choices);
        self.write(&choices).map_err(|error| Refusal::TrustStore {
            path: self.path.display().to_string(),
            reason: error.to_string(),
        })
    }

    fn write(&self, choices: &Choices) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(choices)?)?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Store::new(&folder.path().join("state"));
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
            "an older version is not trusted for ever"
        );
    }

    #[test]
    fn a_folder_covers_what_is_under_it_and_nothing_else() {
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
        std::fs::write(&store.path, b"{\"folders\": [\"/pro").expect("torn");
        assert!(!store.trusts(Path::new("/project/a.dot"), "a", "any"));
        store.trust_folder(Path::new("/other")).expect("written");
        assert!(store.trusts(Path::new("/other/a.dot"), "a", "any"));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_for_its_owner_alone() {
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
