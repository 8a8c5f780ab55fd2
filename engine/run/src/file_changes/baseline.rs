//! The files of a project at one moment, and how they differ from what is there now.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use attractor_exec::{Redactor, normalize};
use serde::{Deserialize, Serialize};

use super::diff::difference;
use super::{ChangedFiles, walk};
use crate::error::RunError;
use crate::question::{EvidenceFile, FileChange};

/// In a larger project only the first files that are found are compared, and new files are not recognised.
const MAX_FILES: usize = 10_000;

/// The text of a larger file is neither kept nor shown.
const MAX_FILE_SIZE: u64 = 64 * 1024;

/// All texts of a baseline together, in bytes.
const MAX_TEXT: usize = 8 * 1024 * 1024;

/// Changed files that are listed.
const MAX_CHANGES: usize = 40;

/// Bytes of all diffs together; further files are listed with their numbers of lines.
const MAX_DIFFS: usize = 24 * 1024;

/// The folders a comparison is about. All are absolute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Folders<'p> {
    /// The project: files beneath it are compared.
    pub(crate) root: &'p Path,
    /// Where the run works: paths are shown relative to it.
    pub(crate) workdir: &'p Path,
    /// Where runs are kept: left out.
    pub(crate) runs_dir: &'p Path,
}

/// The files when a run started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    /// Whether these are all files of the project.
    complete: bool,
    /// By path relative to the root.
    files: BTreeMap<PathBuf, Entry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    size: u64,
    /// Nanoseconds since 1970.
    modified: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Baseline {
    /// Records the files as they are.
    pub(crate) fn take(folders: Folders<'_>, redactor: &Redactor) -> Self {
        let mut files = BTreeMap::new();
        let mut kept = 0;
        let mut paths = walk::files(folders.root, folders.runs_dir);
        for path in paths.by_ref().take(MAX_FILES) {
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            let Ok(below) = path.strip_prefix(folders.root) else {
                continue;
            };
            let text = (kept < MAX_TEXT).then(|| text(&path, &metadata, redactor));
            let text = text.flatten();
            kept += text.as_ref().map_or(0, String::len);
            let entry = Entry {
                size: metadata.len(),
                modified: modified(&metadata),
                text,
            };
            files.insert(below.to_owned(), entry);
        }
        Self {
            complete: paths.next().is_none(),
            files,
        }
    }

    /// Keeps it in a file. A resume does not read it, so it need not survive a power failure.
    pub(crate) fn save(&self, path: &Path) -> Result<(), RunError> {
        let json = serde_json::to_vec(self).unwrap_or_default();
        fs::write(path, json).map_err(RunError::io("cannot write", path))
    }

    /// Reads it again; none when it was never kept, or not completely.
    pub(crate) fn load(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// What is different now.
    pub(crate) fn changes(&self, folders: Folders<'_>, redactor: &Redactor) -> ChangedFiles {
        let known = self.files.iter().filter_map(|(path, before)| {
            let file = change_of(&folders.root.join(path), before, redactor)?;
            Some((path.clone(), file))
        });
        // Of new files only those that are shown are read.
        let mut changed: BTreeMap<PathBuf, Option<EvidenceFile>> =
            known.map(|(path, file)| (path, Some(file))).collect();
        if self.complete {
            let new = walk::files(folders.root, folders.runs_dir).filter_map(|path| {
                let below = path.strip_prefix(folders.root).ok()?;
                (!self.files.contains_key(below)).then(|| (below.to_owned(), None))
            });
            changed.extend(new.take(MAX_FILES));
        }
        let more = changed.len().saturating_sub(MAX_CHANGES);
        let mut left = MAX_DIFFS;
        let shown = changed.into_iter().take(MAX_CHANGES);
        let files = shown.map(|(path, file)| {
            let path = folders.root.join(path);
            let mut file = file.unwrap_or_else(|| added(&path, redactor));
            file.path = relative(&path, folders.workdir);
            match left.checked_sub(file.diff.len()) {
                Some(rest) => left = rest,
                None => file.diff.clear(),
            }
            file
        });
        ChangedFiles {
            files: files.collect(),
            more,
        }
    }
}

/// How a file differs from what it was; none when it does not.
fn change_of(path: &Path, before: &Entry, redactor: &Redactor) -> Option<EvidenceFile> {
    let Some(metadata) = fs::symlink_metadata(path).ok().filter(Metadata::is_file) else {
        return Some(file(FileChange::Deleted, before.text.as_deref(), Some("")));
    };
    if before.size == metadata.len() && before.modified == modified(&metadata) {
        return None;
    }
    let after = text(path, &metadata, redactor);
    if before.text.is_some() && before.text == after {
        return None;
    }
    let (before, after) = (before.text.as_deref(), after.as_deref());
    Some(file(FileChange::Modified, before, after))
}

fn added(path: &Path, redactor: &Redactor) -> EvidenceFile {
    let metadata = fs::symlink_metadata(path).ok();
    let text = metadata.and_then(|metadata| text(path, &metadata, redactor));
    file(FileChange::Added, Some(""), text.as_deref())
}

/// A changed file whose path is filled in later.
fn file(change: FileChange, before: Option<&str>, after: Option<&str>) -> EvidenceFile {
    let difference = before
        .zip(after)
        .map(|(before, after)| difference(before, after));
    EvidenceFile {
        path: String::new(),
        change: Some(change),
        added: difference.as_ref().map(|difference| difference.added),
        removed: difference.as_ref().map(|difference| difference.removed),
        diff: difference.map_or_else(String::new, |difference| difference.text),
    }
}

/// The text of a small file without its secrets; none of one that is not text.
fn text(path: &Path, metadata: &Metadata, redactor: &Redactor) -> Option<String> {
    if metadata.len() > MAX_FILE_SIZE {
        return None;
    }
    let text = String::from_utf8(fs::read(path).ok()?).ok()?;
    let is_text = text.len() as u64 <= MAX_FILE_SIZE && !text.contains('\0');
    is_text.then(|| redactor.text(&text).into_owned())
}

fn modified(metadata: &Metadata) -> u64 {
    let time = metadata.modified().ok();
    let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    })
}

/// `path` as one writes it in `folder`, with `/` on every system.
fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder) = (normalize(path), normalize(folder));
    let shared = path.components().zip(folder.components());
    let shared = shared.take_while(|(left, right)| left == right).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|part| match part {
        Component::Normal(name) => name.to_string_lossy().into_owned(),
        part => part.as_os_str().to_string_lossy().into_owned(),
    });
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};
    use tempfile::TempDir;

    use super::*;

    /// A project with these files.
    fn project(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            put(&folder, path, text);
        }
        folder
    }

    fn put(folder: &TempDir, path: &str, text: &str) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What `act` changes in a project of `files`, as the run that works in `flows` shows it.
    fn check(files: &[(&str, &str)], act: impl FnOnce(&TempDir), expected: &Expect) {
        let folder = project(files);
        let workdir = folder.path().join("flows");
        let runs_dir = folder.path().join("my-runs");
        let folders = Folders {
            root: folder.path(),
            workdir: &workdir,
            runs_dir: &runs_dir,
        };
        let redactor = Redactor::with(["hunter2hunter2"]);
        let baseline = Baseline::take(folders, &redactor);
        let stored = serde_json::to_string(&baseline).unwrap();
        assert!(!stored.contains("hunter2"), "{stored}");
        let baseline: Baseline = serde_json::from_str(&stored).unwrap();
        act(&folder);
        let changed = baseline.changes(folders, &redactor);
        let mut text = String::new();
        for file in &changed.files {
            let numbers = (file.added, file.removed);
            writeln!(text, "{} {:?} {numbers:?}", file.path, file.change.unwrap()).unwrap();
            if !file.diff.is_empty() {
                writeln!(text, "{}", file.diff).unwrap();
            }
        }
        if changed.more > 0 {
            writeln!(text, "and {} more", changed.more).unwrap();
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn added_changed_and_deleted_files_are_shown_with_their_lines() {
        check(
            &[
                ("src/a.rs", "one\ntwo\nthree\n"),
                ("src/gone.rs", "gone\n"),
                ("flows/same.md", "same\n"),
            ],
            |folder| {
                put(folder, "src/a.rs", "one\n2\n3\n");
                put(folder, "flows/new.md", "new\n");
                fs::remove_file(folder.path().join("src/gone.rs")).unwrap();
                put(folder, "flows/same.md", "same\n");
            },
            &expect![[r#"
                new.md Added (Some(1), Some(0))
                @@ -0,0 +1 @@
                +new
                ../src/a.rs Modified (Some(2), Some(2))
                @@ -1,3 +1,3 @@
                 one
                -two
                -three
                +2
                +3
                ../src/gone.rs Deleted (Some(0), Some(1))
                @@ -1 +0,0 @@
                -gone
            "#]],
        );
    }

    #[test]
    fn what_is_not_a_content_of_the_project_is_left_out() {
        check(
            &[(".gitignore", "target\n"), ("flows/p.dot", "digraph {}\n")],
            |folder| {
                for path in [
                    "target/a.o",
                    ".git/HEAD",
                    ".attractor/runs/x/journal.jsonl",
                    "my-runs/x/journal.jsonl",
                    ".env",
                    ".env.local",
                ] {
                    put(folder, path, "changed\n");
                }
                put(folder, ".github/workflows/ci.yml", "on: push\n");
            },
            &expect![[r#"
                ../.github/workflows/ci.yml Added (Some(1), Some(0))
                @@ -0,0 +1 @@
                +on: push
            "#]],
        );
    }

    #[test]
    fn large_and_binary_files_are_listed_without_a_diff() {
        check(
            &[("data.bin", "a\0b"), ("large.txt", "short\n")],
            |folder| {
                put(folder, "data.bin", "a\0bc");
                put(folder, "large.txt", &"long line\n".repeat(10_000));
            },
            &expect![[r#"
                ../data.bin Modified (None, None)
                ../large.txt Modified (None, None)
            "#]],
        );
    }

    #[test]
    fn secrets_are_in_neither_side_of_a_diff() {
        check(
            &[("conf", "password=hunter2hunter2\n")],
            |folder| put(folder, "conf", "user=x\npassword=hunter2hunter2\n"),
            &expect![[r#"
                ../conf Modified (Some(1), Some(0))
                @@ -1 +1,2 @@
                +user=x
                 password=[redacted]
            "#]],
        );
    }

    #[test]
    fn many_changes_are_bounded() {
        let folder = project(&[]);
        let folders = Folders {
            root: folder.path(),
            workdir: folder.path(),
            runs_dir: &folder.path().join("runs"),
        };
        let redactor = Redactor::default();
        let baseline = Baseline::take(folders, &redactor);
        for number in 0..100 {
            let text = format!("{}\n", "x".repeat(150)).repeat(100);
            put(&folder, &format!("{number:03}.txt"), &text);
        }
        let changed = baseline.changes(folders, &redactor);
        assert_eq!((changed.files.len(), changed.more), (MAX_CHANGES, 60));
        let diffs: usize = changed.files.iter().map(|file| file.diff.len()).sum();
        assert!(diffs > 0 && diffs <= MAX_DIFFS, "{diffs}");
        assert!(changed.files.iter().all(|file| file.added == Some(100)));
    }
}
