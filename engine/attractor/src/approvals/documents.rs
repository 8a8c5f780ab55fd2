//! Consent documents on the disk, in the user's state folder and never in a workspace: the current one, and the one the
//! user approved last.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use attractor_text_diff::{CONTEXT, TextDiff};

use super::error::ApprovalError;
use super::key::{ApprovalKey, fingerprint};

/// The documents of one user.
#[derive(Debug)]
pub(super) struct ConsentDocuments {
    folder: PathBuf,
}

impl ConsentDocuments {
    /// Documents stored in `state`; without one, in the folder for temporary files.
    pub(super) fn new(state: Option<&Path>) -> Self {
        let temporary = || std::env::temp_dir().join("attractor");
        let state = state.map_or_else(temporary, Path::to_owned);
        Self {
            folder: state.join("consent"),
        }
    }

    /// Writes the document to read: what changed since the approved version, then everything.
    pub(super) fn write(&self, key: &ApprovalKey) -> Result<PathBuf, ApprovalError> {
        let path = self.of(key).join(format!("{}.md", file_name(key)));
        let changes = match self.diff(key) {
            Some(diff) if diff.is_empty() => {
                "You have approved exactly this version before.\n\n".to_owned()
            }
            Some(diff) => {
                let fence = fence(&diff);
                format!("# Changes since you last approved it\n\n{fence}diff\n{diff}{fence}\n\n")
            }
            None => String::new(),
        };
        replace(&path, &format!("{changes}{}", key.document))?;
        Ok(path)
    }

    /// Stores the document as the approved one.
    pub(super) fn approve(&self, key: &ApprovalKey) -> Result<(), ApprovalError> {
        replace(&self.of(key).join("approved"), &key.document)
    }

    /// The document that was approved last.
    pub(super) fn approved(&self, key: &ApprovalKey) -> Option<String> {
        std::fs::read_to_string(self.of(key).join("approved")).ok()
    }

    /// Forgets that any version was approved.
    pub(super) fn forget(&self, key: &ApprovalKey) -> Result<(), ApprovalError> {
        let path = self.of(key).join("approved");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(ApprovalError::new(&path, &error))
            }
            _ => Ok(()),
        }
    }

    /// A unified diff from the approved document.
    pub(super) fn diff(&self, key: &ApprovalKey) -> Option<String> {
        let approved = self.approved(key)?;
        Some(TextDiff::of_lines(&approved, &key.document).unified(CONTEXT))
    }

    /// The folder of a pipeline: files of the same name in different folders do not collide.
    fn of(&self, key: &ApprovalKey) -> PathBuf {
        let file = key.file.to_string_lossy();
        let hash = fingerprint([(file.as_ref(), key.graph.as_str())]);
        self.folder.join(hash.get(..16).unwrap_or_default())
    }
}

/// The title of the document in an editor tab.
fn file_name(key: &ApprovalKey) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let name: String = key.graph.chars().filter(|it| plain(*it)).take(60).collect();
    format!("what {} runs", if name.is_empty() { "it" } else { &name })
}

fn fence(text: &str) -> String {
    let runs = text.split(|letter| letter != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}

/// Replaces a file atomically by one that its owner can only read.
fn replace(path: &Path, text: &str) -> Result<(), ApprovalError> {
    let write = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        let mut permissions = file.as_file().metadata()?.permissions();
        permissions.set_readonly(true);
        file.as_file().set_permissions(permissions)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| ApprovalError::new(path, &error))
}
