//! What a run of a server changed in its files.

use attractor_run::ChangeKind;
use serde::Deserialize;

/// What a run, or a node of it, changed in the files.
#[derive(Debug, Clone, Deserialize)]
pub struct RemoteChanges {
    /// The visit this is about; 0 for a whole run.
    pub visit: u32,
    /// The files that differ, by path.
    pub files: Vec<RemoteFile>,
}

/// A file that differs.
#[derive(Debug, Clone, Deserialize)]
pub struct RemoteFile {
    /// The path from the root of the project, with `/`.
    pub path: String,
    /// Whether it was added, modified or deleted.
    pub change: ChangeKind,
    /// Lines added; none where a content is not text or not stored.
    pub added: Option<usize>,
    /// Lines removed; none likewise.
    pub removed: Option<usize>,
    /// A unified diff; none likewise.
    pub diff: Option<String>,
    /// The text before, where it was asked for; none likewise, and of an added file.
    pub before: Option<String>,
    /// The text after, where it was asked for; none likewise, and of a deleted file.
    pub after: Option<String>,
}
