//! The key of a trust decision: a pipeline by the content of everything it uses.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use attractor_run::Consent;
use sha2::{Digest as _, Sha256};

/// What a trust decision is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TrustKey {
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

impl TrustKey {
    /// The key of a pipeline of `file` that can do what `consent` lists and whose run reads `parts`: pairs of a
    /// name and its content, the DOT text first. `folder` is the workspace folder that contains it, if any.
    pub(crate) fn new<'a>(
        file: &Path,
        folder: Option<&Path>,
        consent: &Consent,
        parts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder.or_else(|| file.parent()).unwrap_or(file);
        let document = consent.document();
        let files = fingerprint(parts);
        Self {
            file: real(file),
            graph: consent.pipeline.clone(),
            fingerprint: fingerprint([("consent", document.as_str()), ("files", &files)]),
            document,
            folder: real(folder),
        }
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
