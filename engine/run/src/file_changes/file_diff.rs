//! The files that a node changed as unified diffs, as `git apply` reads them.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use attractor_snapshots::{Change, ChangeKind, FileKind};
use attractor_text_diff::{CONTEXT, Edit, TextDiff};
use serde::Serialize;

use super::FileChanges;
use crate::error::RunError;

/// A longer search for the smallest difference is given up for a larger one.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);

/// How one file differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct FileDiff {
    /// The path from the root of the project, with `/` on every system.
    pub path: String,
    /// Whether it was added, modified or deleted.
    pub change: ChangeKind,
    /// Lines added; none where a content is not text or not stored.
    pub added: Option<usize>,
    /// Lines removed; none likewise.
    pub removed: Option<usize>,
    /// A unified diff with the names of the files; none likewise.
    pub diff: Option<String>,
    /// The text before; none likewise, and where the file did not exist.
    #[serde(skip)]
    pub before: Option<String>,
    /// The text after; none likewise, and where the file does not exist any more.
    #[serde(skip)]
    pub after: Option<String>,
    /// What is shown instead of a diff where there is none.
    #[serde(skip)]
    note: String,
}

impl FileDiff {
    /// The diff, or a line that says why there is none.
    pub fn text(&self) -> &str {
        self.diff.as_deref().unwrap_or(&self.note)
    }
}

impl FileChanges {
    /// The files that are different, by path, with their diffs.
    ///
    /// # Errors
    /// The stored files cannot be read, or are damaged.
    pub fn diffs(&self) -> Result<Vec<FileDiff>, RunError> {
        self.changes
            .iter()
            .map(|change| difference(self, change))
            .collect()
    }
}

fn difference(changes: &FileChanges, change: &Change) -> Result<FileDiff, RunError> {
    let [before, after] = changes.contents(change)?;
    let (old, new) = names(change);
    let heading = heading(change);
    let mut found = FileDiff {
        path: shown(&change.path),
        change: change.kind(),
        added: None,
        removed: None,
        diff: None,
        before: before.and_then(text),
        after: after.and_then(text),
        note: format!("{heading}Files {old} and {new} differ (not text, or not stored)\n"),
    };
    let known = |exists: bool, text: &Option<String>| text.clone().or((!exists).then(String::new));
    let (Some(before), Some(after)) = (
        known(change.before.is_some(), &found.before),
        known(change.after.is_some(), &found.after),
    ) else {
        return Ok(found);
    };
    let diff = TextDiff::of_lines_within(LONGEST_SEARCH, &before, &after);
    let mut text = heading;
    if before != after {
        text += &diff.unified_with_names(CONTEXT, &old, &new);
    }
    found.added = Some(diff.count(Edit::Added));
    found.removed = Some(diff.count(Edit::Removed));
    found.diff = Some(text);
    Ok(found)
}

fn text(content: Vec<u8>) -> Option<String> {
    String::from_utf8(content)
        .ok()
        .filter(|text| !text.contains('\0'))
}

fn names(change: &Change) -> (String, String) {
    let path = shown(&change.path);
    let name = |side: &str, exists: bool| {
        if exists {
            format!("{side}/{path}")
        } else {
            "/dev/null".to_owned()
        }
    };
    (
        name("a", change.before.is_some()),
        name("b", change.after.is_some()),
    )
}

/// The lines above a diff.
fn heading(change: &Change) -> String {
    let path = shown(&change.path);
    let mode = |kind: FileKind| match kind {
        FileKind::File => "100644",
        FileKind::Executable => "100755",
        FileKind::Link => "120000",
    };
    let mut text = format!("diff --git a/{path} b/{path}\n");
    // Writing to a string cannot fail.
    let _ = match (&change.before, &change.after) {
        (None, Some(after)) => writeln!(text, "new file mode {}", mode(after.kind)),
        (Some(before), None) => writeln!(text, "deleted file mode {}", mode(before.kind)),
        (Some(before), Some(after)) if before.kind != after.kind => writeln!(
            text,
            "old mode {}\nnew mode {}",
            mode(before.kind),
            mode(after.kind)
        ),
        _ => Ok(()),
    };
    text
}

/// A path with `/` on every system.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}
