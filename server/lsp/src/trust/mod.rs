//! Which pipelines may run. A pipeline is code, so the user decides before its first run.
//!
//! A decision is about a pipeline and everything it uses (sub-pipelines, `@files`, handlers of the project's
//! configuration), by content: when any of it changes, the user is asked again, unless they trusted the whole folder.
//! [`store`] stores the decisions, [`consent_documents`] what the user could read before; [`question`] has the text of
//! the question. Nothing here sends to the client.

mod consent_documents;
pub(crate) mod question;
pub(crate) mod store;
pub(crate) mod trust_key;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use self::consent_documents::ConsentDocuments;
use self::store::TrustStore;
use self::trust_key::TrustKey;
use crate::errors::ServerError;
use crate::ext::commands::TrustDecision;
use crate::sync::lock;

/// What the user has allowed of a pipeline before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approval {
    Never,
    ThisVersion,
    AnotherVersion,
}

/// The decisions of this user, and the permissions for a single run of this session.
#[derive(Debug)]
pub(crate) struct Trust {
    store: Option<TrustStore>,
    documents: ConsentDocuments,
    once: Mutex<HashSet<TrustKey>>,
    /// Keys whose question waits for an answer, so that the user is not asked twice at once.
    open_questions: Mutex<HashSet<TrustKey>>,
}

impl Trust {
    /// Decisions stored in `folder`; without one, decisions last as long as the server.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self {
            store: folder.map(TrustStore::new),
            documents: ConsentDocuments::new(folder),
            once: Mutex::default(),
            open_questions: Mutex::default(),
        }
    }

    /// Whether the pipeline may run now, without using up a permission for one run.
    pub(crate) fn allows(&self, key: &TrustKey) -> bool {
        lock(&self.once).contains(key) || self.allows_always(key)
    }

    /// Whether the pipeline may run now; a permission for one run is used up.
    pub(crate) fn consume(&self, key: &TrustKey) -> bool {
        self.allows_always(key) || lock(&self.once).remove(key)
    }

    /// Whether no question about the key is open. Opens one if so.
    pub(crate) fn begin_question(&self, key: &TrustKey) -> bool {
        lock(&self.open_questions).insert(key.clone())
    }

    /// The question about the key was answered.
    pub(crate) fn end_question(&self, key: &TrustKey) {
        lock(&self.open_questions).remove(key);
    }

    /// Stores the user's decision.
    pub(crate) fn decide(
        &self,
        key: &TrustKey,
        decision: TrustDecision,
    ) -> Result<(), ServerError> {
        match decision {
            TrustDecision::Revoke => self.documents.forget(key)?,
            _ => self.documents.approve(key)?,
        }
        let Some(store) = &self.store else {
            self.decide_for_now(key, decision);
            return Ok(());
        };
        match decision {
            TrustDecision::Once => {
                self.decide_for_now(key, decision);
                Ok(())
            }
            TrustDecision::Version => store.trust_version(&key.file, &key.graph, &key.fingerprint),
            TrustDecision::Folder => store.trust_folder(&key.folder),
            TrustDecision::Revoke => {
                self.decide_for_now(key, decision);
                store.revoke(&key.file)
            }
        }
    }

    /// Writes a document with everything the pipeline can do, and returns its path.
    pub(crate) fn write_document(&self, key: &TrustKey) -> Result<PathBuf, ServerError> {
        self.documents.write(key)
    }

    /// What the user has allowed of the pipeline before: a single run is a version seen, too.
    pub(crate) fn approval(&self, key: &TrustKey) -> Approval {
        match self.documents.approved(key) {
            None => Approval::Never,
            Some(document) if document == key.document => Approval::ThisVersion,
            Some(_) => Approval::AnotherVersion,
        }
    }

    /// The difference from the version the user last allowed.
    pub(crate) fn diff_since_approved(&self, key: &TrustKey) -> Option<String> {
        self.documents.diff(key)
    }

    fn allows_always(&self, key: &TrustKey) -> bool {
        self.store
            .as_ref()
            .is_some_and(|store| store.trusts(&key.file, &key.graph, &key.fingerprint))
    }

    fn decide_for_now(&self, key: &TrustKey, decision: TrustDecision) {
        let mut once = lock(&self.once);
        if decision == TrustDecision::Revoke {
            once.retain(|other| other.file != key.file);
        } else {
            once.insert(key.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use attractor_run::Consent;

    use super::*;

    fn key(text: &str) -> TrustKey {
        let dot = format!("digraph a {{ goal=x; start -> b; b [type=tool, command=\"{text}\"] }}");
        let pipelines = attractor_ide::model::Pipeline::from_text(&dot);
        let pipeline = pipelines.first().expect("a pipeline").clone();
        let launch = attractor_run::Launch::new(pipeline, attractor_run::Source::default());
        TrustKey::new(
            Path::new("/project/a.dot"),
            Some(Path::new("/project")),
            &Consent::of(&launch),
            [("a.dot", text)],
        )
    }

    #[test]
    fn a_single_permission_is_used_up_and_bound_to_the_text() {
        let trust = Trust::new(None);
        trust
            .decide(&key("one"), TrustDecision::Once)
            .expect("kept in memory");
        assert!(trust.allows(&key("one")));
        assert!(!trust.consume(&key("two")));
        assert!(trust.consume(&key("one")));
        assert!(!trust.consume(&key("one")));
    }

    #[test]
    fn revoke_removes_every_decision() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trust = Trust::new(Some(folder.path()));
        for decision in [
            TrustDecision::Once,
            TrustDecision::Version,
            TrustDecision::Folder,
        ] {
            trust.decide(&key("one"), decision).expect("written");
            assert!(trust.allows(&key("one")), "{decision:?}");
            trust
                .decide(&key("one"), TrustDecision::Revoke)
                .expect("written");
            assert!(!trust.allows(&key("one")), "{decision:?}");
        }
    }

    #[test]
    fn consent_document_is_read_only_and_shows_the_diff_since_approval() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trust = Trust::new(Some(folder.path()));
        assert_eq!(trust.approval(&key("make one")), Approval::Never);
        assert_eq!(trust.diff_since_approved(&key("make one")), None);
        trust
            .decide(&key("make one"), TrustDecision::Once)
            .expect("written");
        let changed = key("make two");
        assert_eq!(trust.approval(&changed), Approval::AnotherVersion);
        assert_eq!(trust.approval(&key("make one")), Approval::ThisVersion);
        let diff = trust.diff_since_approved(&changed).expect("a diff");
        assert!(diff.contains("\n-make one\n+make two\n"), "{diff}");
        for _ in 0..2 {
            let path = trust.write_document(&changed).expect("written");
            let text = std::fs::read_to_string(&path).expect("there");
            assert!(text.ends_with(&changed.document), "{text}");
            assert!(text.contains("-make one"), "{text}");
            let about = std::fs::metadata(&path).expect("there");
            assert!(about.permissions().readonly());
        }
        trust
            .decide(&changed, TrustDecision::Revoke)
            .expect("written");
        assert_eq!(trust.approval(&changed), Approval::Never);
    }
}
