//! The files of a project when a run started, and how they differ from what is there now.

use std::fs;
use std::path::{Component, Path};

use attractor_exec::{Redactor, normalize};
use attractor_machine::question::ChangedFiles;
use attractor_machine::question::{EvidenceFile, FileChange};
use attractor_snapshots::{Change, ChangeKind, Snapshot, SnapshotId, SnapshotStore};
use serde::{Deserialize, Serialize};

use super::diff::difference;
use crate::error::RunError;

/// The text of a larger file is not shown.
const MAX_FILE_SIZE: usize = 64 * 1024;

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
}

/// The files when a run started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    pub(super) snapshot: SnapshotId,
}

impl Baseline {
    /// Keeps a snapshot in a file. A resume does not read it, so it need not survive a power failure.
    pub(crate) fn save(snapshot: &Snapshot, path: &Path) -> Result<(), RunError> {
        let baseline = Self {
            snapshot: snapshot.id.clone(),
        };
        let json = serde_json::to_vec(&baseline).unwrap_or_default();
        fs::write(path, json).map_err(RunError::io("cannot write", path))
    }

    /// Reads it again; none when it was never kept, or not completely.
    pub(crate) fn load(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// What is different in `now`.
    pub(crate) fn changes(
        &self,
        store: &SnapshotStore,
        now: &Snapshot,
        folders: Folders<'_>,
        redactor: &Redactor,
    ) -> ChangedFiles {
        let changes = store.changes(&self.snapshot, &now.id);
        let changes = changes.inspect_err(|error| tracing::warn!(%error, "no changes to show"));
        let changes = changes.unwrap_or_default();
        let more = changes.len().saturating_sub(MAX_CHANGES);
        let mut left = MAX_DIFFS;
        let shown = changes.into_iter().take(MAX_CHANGES);
        let files = shown.map(|change| {
            let mut file = evidence(store, &change, redactor);
            file.path = relative(&folders.root.join(&change.path), folders.workdir);
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

/// A changed file, whose path is filled in later.
fn evidence(store: &SnapshotStore, change: &Change, redactor: &Redactor) -> EvidenceFile {
    let text = |entry: Option<&attractor_snapshots::Entry>| match entry {
        Some(entry) => text(store.content(entry).ok()??, redactor),
        None => Some(String::new()),
    };
    let texts = text(change.before.as_ref()).zip(text(change.after.as_ref()));
    let difference = texts.map(|(before, after)| difference(&before, &after));
    EvidenceFile {
        path: String::new(),
        change: Some(match change.kind() {
            ChangeKind::Added => FileChange::Added,
            ChangeKind::Modified => FileChange::Modified,
            ChangeKind::Deleted => FileChange::Deleted,
        }),
        added: difference.as_ref().map(|difference| difference.added),
        removed: difference.as_ref().map(|difference| difference.removed),
        diff: difference.map_or_else(String::new, |difference| difference.text),
    }
}

/// A content that is a text of some size, without its secrets.
fn text(content: Vec<u8>, redactor: &Redactor) -> Option<String> {
    let text = String::from_utf8(content).ok()?;
    let is_text = text.len() <= MAX_FILE_SIZE && !text.contains('\0');
    is_text.then(|| redactor.text(&text).into_owned())
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

    use super::super::{Recorder, snapshot_store};
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
        fs::create_dir_all(&runs_dir).unwrap();
        let folders = Folders {
            root: folder.path(),
            workdir: &workdir,
        };
        let redactor = attractor_exec::redactor(["hunter2hunter2"]);
        let recorder = Recorder::new(folder.path(), &runs_dir, std::sync::Arc::default());
        let file = runs_dir.join("baseline.json");
        Baseline::save(&recorder.take().unwrap(), &file).unwrap();
        act(&folder);
        let now = recorder.take().unwrap();
        let store = snapshot_store(&runs_dir);
        let baseline = Baseline::load(&file).unwrap();
        let changed = baseline.changes(&store, &now, folders, &redactor);
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
        };
        let runs_dir = folder.path().join("runs");
        let recorder = Recorder::new(folder.path(), &runs_dir, std::sync::Arc::default());
        let before = recorder.take().unwrap();
        let baseline = Baseline {
            snapshot: before.id.clone(),
        };
        for number in 0..100 {
            let text = format!("{}\n", "x".repeat(150)).repeat(100);
            put(&folder, &format!("{number:03}.txt"), &text);
        }
        let (now, store) = (recorder.take().unwrap(), snapshot_store(&runs_dir));
        let changed = baseline.changes(&store, &now, folders, &Redactor::default());
        assert_eq!((changed.files.len(), changed.more), (MAX_CHANGES, 60));
        let diffs: usize = changed.files.iter().map(|file| file.diff.len()).sum();
        assert!(diffs > 0 && diffs <= MAX_DIFFS, "{diffs}");
        assert!(changed.files.iter().all(|file| file.added == Some(100)));
    }
}
