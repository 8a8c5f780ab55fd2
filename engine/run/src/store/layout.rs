//! Where things are in a run's directory.
//!
//! `manifest.json`, `journal.jsonl`, `checkpoint.json`, `replay-base.json`, `pipeline.dot`, `files/`, `baseline.json`, `artifacts/`,
//! `checkpoints/NAME.json`, `inbox/`, and `NODE/VISIT-ATTEMPT/` per attempt. Names that come from a pipeline are made safe here and
//! nowhere else: no node id can lead out of the directory.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attractor_exec::sync_directory;

use crate::error::RunError;
use crate::event::NodeAttempt;

/// How the names of drafts begin.
const DRAFT: &str = ".new-";

/// A run's directory.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The directory at `root`, which need not exist.
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The directory of a run that is being recorded for the first time: it gets the run's name when that is
    /// done, so that a directory with the name of a run is complete.
    pub(crate) fn draft(runs_dir: &Path, run: &str) -> Self {
        Self::new(runs_dir.join(format!("{DRAFT}{run}")))
    }

    /// Whether a directory of this name is a draft.
    pub(crate) fn is_draft(name: &str) -> bool {
        name.starts_with(DRAFT)
    }

    /// Makes the directory, for its owner's eyes only.
    pub(crate) fn create(&self) -> Result<(), RunError> {
        create_durably(&self.root)
            .and_then(|()| keep_private(&self.root))
            .map_err(RunError::io("cannot make", &self.root))
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.root.join("journal.jsonl")
    }

    pub(crate) fn checkpoint(&self) -> PathBuf {
        self.root.join("checkpoint.json")
    }

    /// The state when the pipeline was last changed: what is replayed begins there.
    pub(crate) fn replay_base(&self) -> PathBuf {
        self.root.join("replay-base.json")
    }

    pub(crate) fn pipeline(&self) -> PathBuf {
        self.root.join("pipeline.dot")
    }

    /// The files of the project when the run started.
    pub(crate) fn baseline(&self) -> PathBuf {
        self.root.join("baseline.json")
    }

    /// The folder that holds the directories of runs.
    pub(crate) fn runs_dir(&self) -> &Path {
        self.root.parent().unwrap_or(&self.root)
    }

    pub(crate) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    pub(crate) fn inbox(&self) -> PathBuf {
        self.root.join("inbox")
    }

    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// The file of a named checkpoint.
    pub(crate) fn named(&self, name: &str) -> PathBuf {
        self.checkpoints().join(format!("{}.json", safe(name)))
    }

    /// The copy of a file the pipeline names.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.root.join("files").join(safe(path))
    }

    /// The directory of one attempt.
    pub(crate) fn stage(&self, at: &NodeAttempt) -> PathBuf {
        let mut path = self.root.clone();
        for part in [&at.graph, &at.branch].into_iter().flatten() {
            path.push(format!("+{}", safe(part)));
        }
        path.join(safe(&at.node))
            .join(format!("{}-{}", at.visit, at.attempt))
    }
}

/// Makes a directory with its parents, so that all of them are found after a power failure.
fn create_durably(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|one| !one.exists()).collect();
    fs::create_dir_all(path)?;
    missing.into_iter().try_for_each(sync_directory)
}

#[cfg(unix)]
fn keep_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn keep_private(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A name as a file name: letters, digits, `_`, `-` and inner dots stay, everything else is `%XX`. Long names
/// are cut and distinguished by a checksum.
fn safe(name: &str) -> String {
    const LONGEST: usize = 120;
    let mut out = String::new();
    for (index, byte) in name.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-')
            || (byte == b'.' && index > 0);
        if plain {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    if out.len() > LONGEST {
        let crc = crc32fast::hash(name.as_bytes());
        out.truncate(LONGEST);
        let _ = write!(out, "~{crc:08x}");
    }
    if out.is_empty() { "%".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_directory() {
        for (name, expected) in [
            ("build", "build"),
            ("..", "%2E."),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
            ("a/b", "a%2Fb"),
            ("nul\0", "nul%00"),
            ("", "%"),
            ("é", "%C3%A9"),
        ] {
            assert_eq!(safe(name), expected, "{name:?}");
        }
    }

    #[test]
    fn long_names_stay_apart() {
        let (one, two) = ("x".repeat(400), format!("{}y", "x".repeat(399)));
        assert!(safe(&one).len() < 140);
        assert_ne!(safe(&one), safe(&two));
    }
}
