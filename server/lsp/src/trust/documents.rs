//! Consent documents on the disk, in the user's state folder and never in a workspace: the one to read, and the one
//! the person approved last.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::{Subject, fingerprint};
use crate::errors::Refusal;

/// The documents of one user.
#[derive(Debug)]
pub(super) struct Documents {
    folder: PathBuf,
}

impl Documents {
    /// Documents kept in `state`; without one, in the folder for temporary files.
    pub(super) fn new(state: Option<&Path>) -> Self {
        let temporary = || std::env::temp_dir().join("attractor");
        let state = state.map_or_else(temporary, Path::to_owned);
        Self {
            folder: state.join("consent"),
        }
    }

    /// Writes the document to read: what changed since the approved version, then everything.
    pub(super) fn write(&self, subject: &Subject) -> Result<PathBuf, Refusal> {
        let path = self.of(subject).join(format!("{}.md", file_name(subject)));
        let changes = match self.diff(subject) {
            Some(diff) if diff.is_empty() => "You have let exactly this run before.\n\n".to_owned(),
            Some(diff) => {
                let fence = fence(&diff);
                format!("# Changes since you last let it run\n\n{fence}diff\n{diff}{fence}\n\n")
            }
            None => String::new(),
        };
        replace(&path, &format!("{changes}{}", subject.document))?;
        Ok(path)
    }

    /// Keeps the document as the approved one.
    pub(super) fn approve(&self, subject: &Subject) -> Result<(), Refusal> {
        replace(&self.of(subject).join("approved"), &subject.document)
    }

    /// The document that was approved last.
    pub(super) fn approved(&self, subject: &Subject) -> Option<String> {
        std::fs::read_to_string(self.of(subject).join("approved")).ok()
    }

    /// Forgets that any version was approved.
    pub(super) fn forget(&self, subject: &Subject) -> Result<(), Refusal> {
        let path = self.of(subject).join("approved");
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(unwritable(&path, &error))
            }
            _ => Ok(()),
        }
    }

    /// A unified diff from the approved document.
    pub(super) fn diff(&self, subject: &Subject) -> Option<String> {
        let approved = self.approved(subject)?;
        let diff = TextDiff::from_lines(approved.as_str(), subject.document.as_str());
        Some(diff.unified_diff().context_radius(3).to_string())
    }

    /// The folder of a pipeline: two files of one name do not meet.
    fn of(&self, subject: &Subject) -> PathBuf {
        let file = subject.file.to_string_lossy();
        let key = fingerprint([(file.as_ref(), subject.graph.as_str())]);
        self.folder.join(key.get(..16).unwrap_or_default())
    }
}

/// A name a person knows the document by in a tab.
fn file_name(subject: &Subject) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let name: String = subject
        .graph
        .chars()
        .filter(|it| plain(*it))
        .take(60)
        .collect();
    format!("what {} runs", if name.is_empty() { "it" } else { &name })
}

fn fence(text: &str) -> String {
    let runs = text.split(|letter| letter != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}

/// Writes a file as a whole, for its owner to read only.
fn replace(path: &Path, text: &str) -> Result<(), Refusal> {
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
    write().map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Refusal {
    Refusal::TrustStore {
        path: path.display().to_string(),
        reason: error.to_string(),
    }
}
