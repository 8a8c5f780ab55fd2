//! Which pipelines a user has approved. A pipeline is code, so they read what it runs before its first run.
//!
//! An approval is about a pipeline and everything it uses (sub-pipelines, `@files`, the project's configuration), by
//! content: when any of it changes, it ends, unless the user approved the whole folder. Editors and servers share them.

mod documents;
mod error;
mod key;
mod store;

use std::path::{Path, PathBuf};

pub use self::error::ApprovalError;
pub use self::key::ApprovalKey;
pub(crate) use self::key::approved_launch;

use self::documents::ConsentDocuments;
use self::store::ApprovalStore;

/// What a user has approved of a pipeline before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
// Exhaustive: a caller that ignored a state would start what is not approved.
pub enum Approval {
    /// Nothing.
    Never,
    /// It as it is now.
    ThisVersion,
    /// It as it was.
    AnotherVersion,
}

/// The approvals of a user.
#[derive(Debug)]
pub struct Approvals {
    store: Option<ApprovalStore>,
    documents: ConsentDocuments,
}

impl Approvals {
    /// Approvals stored in `folder`; without one, nothing is approved for longer than one run.
    pub fn new(folder: Option<&Path>) -> Self {
        Self {
            store: folder.map(ApprovalStore::new),
            documents: ConsentDocuments::new(folder),
        }
    }

    /// Whether approvals last longer than their process.
    pub fn are_stored(&self) -> bool {
        self.store.is_some()
    }

    /// Whether the pipeline may run without a question.
    pub fn allow(&self, key: &ApprovalKey) -> bool {
        let mut store = self.store.iter();
        store.any(|store| store.trusts(&key.file, &key.graph, &key.digest))
    }

    /// The user has approved one run: this version is one that they have seen.
    ///
    /// # Errors
    /// It cannot be stored.
    pub fn approve_once(&self, key: &ApprovalKey) -> Result<(), ApprovalError> {
        self.documents.approve(key)
    }

    /// The user has approved every run of this version.
    ///
    /// # Errors
    /// It cannot be stored.
    pub fn approve_version(&self, key: &ApprovalKey) -> Result<(), ApprovalError> {
        self.documents.approve(key)?;
        self.store
            .iter()
            .try_for_each(|store| store.trust_version(&key.file, &key.graph, &key.digest))
    }

    /// The user has approved everything in the folder of the pipeline.
    ///
    /// # Errors
    /// It cannot be stored.
    pub fn approve_folder(&self, key: &ApprovalKey) -> Result<(), ApprovalError> {
        self.documents.approve(key)?;
        let mut store = self.store.iter();
        store.try_for_each(|store| store.trust_folder(&key.folder))
    }

    /// Takes back every approval of the file.
    ///
    /// # Errors
    /// It cannot be stored.
    pub fn revoke(&self, key: &ApprovalKey) -> Result<(), ApprovalError> {
        self.documents.forget(key)?;
        self.store
            .iter()
            .try_for_each(|store| store.revoke(&key.file))
    }

    /// What the user has approved of the pipeline before; a single run counts.
    pub fn before(&self, key: &ApprovalKey) -> Approval {
        match self.documents.approved(key) {
            None => Approval::Never,
            Some(document) if document == key.document => Approval::ThisVersion,
            Some(_) => Approval::AnotherVersion,
        }
    }

    /// The difference from the version that the user approved last, as a unified diff.
    pub fn diff_since_approved(&self, key: &ApprovalKey) -> Option<String> {
        self.documents.diff(key)
    }

    /// Writes a document with everything the pipeline can do, and returns its path.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_document(&self, key: &ApprovalKey) -> Result<PathBuf, ApprovalError> {
        self.documents.write(key)
    }
}
