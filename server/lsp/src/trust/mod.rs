//! May this pipeline run? A pipeline is code, so the first run of each is asked about.
//!
//! A choice is about a file and everything it pulls in (sub-pipelines, `@files`), by content: when any of
//! it changes, the person is asked again, unless they trusted the whole folder. [`store`] keeps the
//! choices; [`question`] words what a pipeline can do. Nothing here talks to the editor.

pub(crate) mod question;
pub(crate) mod store;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest as _, Sha256};

use self::store::Store;
use crate::errors::Refusal;
use crate::ext::commands::TrustDecision;
use crate::sync::lock;

/// What a choice about trust is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    /// The DOT file, with symbolic links resolved where it exists.
    pub(crate) file: PathBuf,
    /// The hash over everything that decides what the pipeline does.
    pub(crate) fingerprint: String,
    /// The folder *Always in this folder* is about.
    pub(crate) folder: PathBuf,
}

impl Subject {
    /// The subject of `file`, whose run reads `parts`: pairs of a name and its content, the DOT text first.
    /// `folder` is the workspace folder around it, if any.
    pub(crate) fn new<'a>(
        file: &Path,
        folder: Option<&Path>,
        parts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let around = folder.or_else(|| file.parent()).unwrap_or(file);
        Self {
            file: real(file),
            fingerprint: fingerprint(parts),
            folder: real(around),
        }
    }
}

/// SHA-256 in hexadecimal over names and contents, each preceded by its length so that none can pose as
/// another.
fn fingerprint<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut hash = Sha256::new();
    for (name, content) in parts {
        for piece in [name, content] {
            hash.update((piece.len() as u64).to_le_bytes());
            hash.update(piece.as_bytes());
        }
    }
    hash.finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// The choices of this user, and the permissions for a single run given in this session.
#[derive(Debug)]
pub(crate) struct Trust {
    store: Option<Store>,
    once: Mutex<HashSet<Subject>>,
}

impl Trust {
    /// Choices kept in `folder`; without one, choices last as long as the server.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self {
            store: folder.map(Store::new),
            once: Mutex::default(),
        }
    }

    /// Whether the subject may run now, without using up a permission for one run.
    pub(crate) fn allows(&self, subject: &Subject) -> bool {
        lock(&self.once).contains(subject) || self.allows_always(subject)
    }

    /// Whether the subject may run now; a permission for one run is used up.
    pub(crate) fn admit(&self, subject: &Subject) -> bool {
        self.allows_always(subject) || lock(&self.once).remove(subject)
    }

    /// Takes a person's choice.
    pub(crate) fn decide(&self, subject: &Subject, decision: TrustDecision) -> Result<(), Refusal> {
        let Some(store) = &self.store else {
            self.decide_for_now(subject, decision);
            return Ok(());
        };
        match decision {
            TrustDecision::Once => {
                self.decide_for_now(subject, decision);
                Ok(())
            }
            TrustDecision::Version => store.trust_version(&subject.file, &subject.fingerprint),
            TrustDecision::Folder => store.trust_folder(&subject.folder),
            TrustDecision::Revoke => {
                self.decide_for_now(subject, decision);
                store.revoke(&subject.file)
            }
        }
    }

    fn allows_always(&self, subject: &Subject) -> bool {
        self.store
            .as_ref()
            .is_some_and(|store| store.trusts(&subject.file, &subject.fingerprint))
    }

    fn decide_for_now(&self, subject: &Subject, decision: TrustDecision) {
        let mut once = lock(&self.once);
        if decision == TrustDecision::Revoke {
            once.retain(|other| other.file != subject.file);
        } else {
            once.insert(subject.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(text: &str) -> Subject {
        Subject::new(
            Path::new("/project/a.dot"),
            Some(Path::new("/project")),
            [("a.dot", text)],
        )
    }

    #[test]
    fn once_is_once_and_only_for_this_text() {
        let trust = Trust::new(None);
        trust
            .decide(&subject("one"), TrustDecision::Once)
            .expect("kept in memory");
        assert!(trust.allows(&subject("one")));
        assert!(!trust.admit(&subject("two")));
        assert!(trust.admit(&subject("one")));
        assert!(!trust.admit(&subject("one")));
    }

    #[test]
    fn revoking_takes_everything_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trust = Trust::new(Some(folder.path()));
        for decision in [
            TrustDecision::Once,
            TrustDecision::Version,
            TrustDecision::Folder,
        ] {
            trust.decide(&subject("one"), decision).expect("written");
            assert!(trust.allows(&subject("one")), "{decision:?}");
            trust
                .decide(&subject("one"), TrustDecision::Revoke)
                .expect("written");
            assert!(!trust.allows(&subject("one")), "{decision:?}");
        }
    }

    #[test]
    fn a_fingerprint_sees_names_contents_and_their_borders() {
        let fingerprints = [
            fingerprint([("a", "b")]),
            fingerprint([("ab", "")]),
            fingerprint([("a", ""), ("b", "")]),
            fingerprint([("a", "c")]),
        ];
        let distinct: HashSet<_> = fingerprints.iter().collect();
        assert_eq!(distinct.len(), fingerprints.len());
    }
}
