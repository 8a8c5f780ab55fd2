//! Which pipelines may run: the user decides before the first run of one.
//!
//! [`Approvals`] has the decisions that last, by the content of everything a pipeline uses; this module adds those for a
//! single run of this session, and [`question`] has the text of the question. Nothing here sends to the client.

pub(crate) mod question;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use attractor::{Approval, ApprovalKey, Approvals};

use crate::errors::ServerError;
use crate::ext::commands::TrustDecision;
use attractor_proto::sync::lock;

/// The decisions of this user, and the permissions for a single run of this session.
#[derive(Debug)]
pub(crate) struct Trust {
    approvals: Approvals,
    once: Mutex<HashSet<ApprovalKey>>,
    /// Keys whose question waits for an answer, so that the user is not asked twice at once.
    open_questions: Mutex<HashSet<ApprovalKey>>,
}

impl Trust {
    /// Decisions stored in `folder`; without one, decisions last as long as the server.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self {
            approvals: Approvals::new(folder),
            once: Mutex::default(),
            open_questions: Mutex::default(),
        }
    }

    /// Whether the pipeline may run now, without using up a permission for one run.
    pub(crate) fn allows(&self, key: &ApprovalKey) -> bool {
        lock(&self.once).contains(key) || self.approvals.allow(key)
    }

    /// Whether the pipeline may run now; a permission for one run is used up.
    pub(crate) fn consume(&self, key: &ApprovalKey) -> bool {
        self.approvals.allow(key) || lock(&self.once).remove(key)
    }

    /// Whether no question about the key is open. Opens one if so.
    pub(crate) fn begin_question(&self, key: &ApprovalKey) -> bool {
        lock(&self.open_questions).insert(key.clone())
    }

    /// The question about the key was answered.
    pub(crate) fn end_question(&self, key: &ApprovalKey) {
        lock(&self.open_questions).remove(key);
    }

    /// Stores the user's decision.
    pub(crate) fn decide(
        &self,
        key: &ApprovalKey,
        decision: TrustDecision,
    ) -> Result<(), ServerError> {
        match decision {
            TrustDecision::Once => self.approvals.approve_once(key)?,
            TrustDecision::Version => self.approvals.approve_version(key)?,
            TrustDecision::Folder => self.approvals.approve_folder(key)?,
            TrustDecision::Revoke => self.approvals.revoke(key)?,
        }
        let is_stored = self.approvals.are_stored()
            && matches!(decision, TrustDecision::Version | TrustDecision::Folder);
        if !is_stored {
            self.decide_for_now(key, decision);
        }
        Ok(())
    }

    /// Writes a document with everything the pipeline can do, and returns its path.
    pub(crate) fn write_document(&self, key: &ApprovalKey) -> Result<PathBuf, ServerError> {
        Ok(self.approvals.write_document(key)?)
    }

    /// What the user has allowed of the pipeline before: a single run is a version seen, too.
    pub(crate) fn approval(&self, key: &ApprovalKey) -> Approval {
        self.approvals.before(key)
    }

    /// The difference from the version the user last allowed.
    pub(crate) fn diff_since_approved(&self, key: &ApprovalKey) -> Option<String> {
        self.approvals.diff_since_approved(key)
    }

    fn decide_for_now(&self, key: &ApprovalKey, decision: TrustDecision) {
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

    fn key(text: &str) -> ApprovalKey {
        let dot = format!("digraph a {{ goal=x; start -> b; b [type=tool, command=\"{text}\"] }}");
        let pipelines = attractor_ide::model::Pipeline::from_text(&dot);
        let pipeline = pipelines.first().expect("a pipeline").clone();
        let source = attractor_run::Source {
            path: "/project/a.dot".into(),
            text: dot.as_str().into(),
        };
        let launch = attractor_run::Launch::new(pipeline, source);
        ApprovalKey::new(&launch, &Consent::of(&launch), Some(Path::new("/project")))
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
