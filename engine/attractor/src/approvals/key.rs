//! The key of an approval: a pipeline by the content of everything it uses.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use attractor_run::{Consent, Launch, Mode};
use sha2::{Digest as _, Sha256};

/// What an approval is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ApprovalKey {
    /// The DOT file, with symbolic links resolved where it exists.
    pub file: PathBuf,
    /// The pipeline's name.
    pub graph: String,
    /// The document with everything a run can do.
    pub document: String,
    /// The hash over everything that decides what the pipeline does.
    pub digest: String,
    /// The folder that an approval of a whole folder is about.
    pub folder: PathBuf,
}

impl ApprovalKey {
    /// The key of the pipeline that `launch` starts and that can do what `consent` lists. `folder` is the workspace
    /// folder that contains it, if any.
    pub fn new(launch: &Launch, consent: &Consent, folder: Option<&Path>) -> Self {
        let file = launch.source.path.as_path();
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder.or_else(|| file.parent()).unwrap_or(file);
        let document = consent.document();
        // Of what the document masks because it looks like a secret, changes count as well.
        let project = [&consent.project.scripts, &consent.project.instructions];
        let project = project
            .into_iter()
            .flatten()
            .chain(&consent.project.configuration);
        let other_files = launch.files.iter().chain(&launch.sources).chain(project);
        let other_files = other_files.map(|(name, text)| (name.as_str(), text.as_str()));
        let files = fingerprint(std::iter::once(("", &*launch.source.text)).chain(other_files));
        Self {
            file: real(file),
            graph: consent.pipeline.clone(),
            digest: fingerprint([("consent", document.as_str()), ("files", &files)]),
            document,
            folder: real(folder),
        }
    }
}

/// The launch that an approval is about: how real a run is and what its inputs are does not change it.
pub(crate) fn approved_launch(launch: &Launch) -> Launch {
    Launch {
        mode: Mode::Run,
        inputs: BTreeMap::new(),
        ..launch.clone()
    }
}

/// SHA-256 in hexadecimal over names and contents, each preceded by its length so that none can be taken for
/// another.
pub(super) fn fingerprint<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn fingerprint_covers_names_contents_and_their_boundaries() {
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
