//! May this pipeline run? A pipeline is code, so the first run of each is asked about.
//!
//! A choice is about a pipeline and everything it pulls in (sub-pipelines, `@files`, handlers of the project's
//! configuration), by content: when any of it changes, the person is asked again, unless they trusted the whole
//! folder. [`store`] keeps the choices, [`documents`] what the person could read before they chose; [`question`] words
//! the question. Nothing here talks to the editor.

mod documents;
pub(crate) mod question;
pub(crate) mod store;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use attractor_run::Consent;
use sha2::{Digest as _, Sha256};

use self::documents::Documents;
use self::store::Store;
use crate::errors::Refusal;
use crate::ext::commands::TrustDecision;
use crate::sync::lock;

/// What a choice about trust is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    /// The DOT file, with symbolic links resolved where it exists.
    pub(crate) file: PathBuf,
    /// The pipeline's name.
    pub(crate) graph: String,
    /// The document with everything a run can do.
    pub(crate) document: String,
    /// The hash over everything that decides what the pipeline does.
    pub(crate) fingerprint: String,
    /// The folder *Always in this folder* is about.
    pub(crate) folder: PathBuf,
}

impl Subject {
    /// The subject of a pipeline of `file` that can do what `consent` says and whose run reads `parts`: pairs of a
    /// name and its content, the DOT text first. `folder` is the workspace folder around it, if any.
    pub(crate) fn new<'a>(
        file: &Path,
        folder: Option<&Path>,
        consent: &Consent,
        parts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let around = folder.or_else(|| file.parent()).unwrap_or(file);
        let document = consent.document();
        let files = fingerprint(parts);
        Self {
            file: real(file),
            graph: consent.pipeline.clone(),
            fingerprint: fingerprint([("consent", document.as_str()), ("files", &files)]),
            document,
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
    documents: Documents,
    once: Mutex<HashSet<Subject>>,
}

impl Trust {
    /// Choices kept in `folder`; without one, choices last as long as the server.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self {
            store: folder.map(Store::new),
            documents: Documents::new(folder),
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
        match decision {
            TrustDecision::Revoke => self.documents.forget(subject)?,
            _ => self.documents.approve(subject)?,
        }
        let Some(store) = &self.store else {
            self.decide_for_now(subject, decision);
            return Ok(());
        };
        match decision {
            TrustDecision::Once => {
                self.decide_for_now(subject, decision);
                Ok(())
            }
            TrustDecision::Version => {
                store.trust_version(&subject.file, &subject.graph, &subject.fingerprint)
            }
            TrustDecision::Folder => store.trust_folder(&subject.folder),
            TrustDecision::Revoke => {
                self.decide_for_now(subject, decision);
                store.revoke(&subject.file)
            }
        }
    }

    /// Writes down everything the subject can do, for the person to read, and gives the path.
    pub(crate) fn write_document(&self, subject: &Subject) -> Result<PathBuf, Refusal> {
        self.documents.write(subject)
    }

    /// Whether the person has let some version of the subject run.
    pub(crate) fn was_approved(&self, subject: &Subject) -> bool {
        self.documents.approved(subject).is_some()
    }

    /// What is different from the version the person last let run.
    pub(crate) fn diff_since_approved(&self, subject: &Subject) -> Option<String> {
        self.documents.diff(subject)
    }

    fn allows_always(&self, subject: &Subject) -> bool {
        self.store
            .as_ref()
            .is_some_and(|store| store.trusts(&subject.file, &subject.graph, &subject.fingerprint))
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
        let dot = format!("digraph a {{ goal=x; start -> b; b [type=tool, command=\"{text}\"] }}");
        let (pipelines, _) = attractor_ide::model::Pipeline::from_text(&dot);
        let pipeline = pipelines.first().expect("a pipeline").clone();
        let launch = attractor_run::Launch::new(pipeline, attractor_run::Source::default());
        Subject::new(
            Path::new("/project/a.dot"),
            Some(Path::new("/project")),
            &Consent::of(&launch),
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
    fn the_document_is_read_only_and_shows_what_changed_since_it_was_approved() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let trust = Trust::new(Some(folder.path()));
        assert!(!trust.was_approved(&subject("make one")));
        assert_eq!(trust.diff_since_approved(&subject("make one")), None);
        trust
            .decide(&subject("make one"), TrustDecision::Once)
            .expect("written");
        let changed = subject("make two");
        assert!(trust.was_approved(&changed));
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
        assert!(!trust.was_approved(&changed));
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
