//! Attacks on the files of a workspace, and changes by others.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::*;

fn workspace() -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join(".git/hooks")).unwrap();
    fs::write(root.join("a.txt"), "one").unwrap();
    fs::write(root.join(".git/config"), "[core]").unwrap();
    let workspace = Workspace::open(&root).unwrap();
    (folder, workspace)
}

fn refused(workspace: &Workspace, path: &str) -> String {
    let refused = workspace.resolve_for_change(Path::new(path)).unwrap_err();
    refused.to_string()
}

#[test]
fn protected_files_are_refused_under_any_name() {
    let (_folder, workspace) = workspace();
    symlink(".git", workspace.root().join("innocent")).unwrap();
    symlink(".git/config", workspace.root().join("settings")).unwrap();
    for path in [
        ".git/hooks/pre-commit",
        "./x/../.git/config",
        ".git/config",
        "innocent/hooks/post-commit",
        "settings",
        ".attractor/runs/1/journal.jsonl",
    ] {
        let fails = workspace.resolve_for_change(Path::new(path));
        assert!(fails.is_err(), "{path}: {fails:?}");
    }
    assert_eq!(
        refused(&workspace, ".git/config"),
        "`.git/config` is write-protected: tools do not change files in `.git` and `.attractor`"
    );
    let direct = workspace.change(
        Path::new(".git/hooks/pre-commit"),
        FileSnapshot::default(),
        Some(b"#!/bin/sh".to_vec()),
    );
    assert!(matches!(direct, Err(FileError::Protected(_))));
    assert!(!workspace.root().join(".git/hooks/pre-commit").exists());
}

#[test]
fn a_hard_link_to_a_protected_file_does_not_change_it() {
    let (_folder, workspace) = workspace();
    let config = workspace.root().join(".git/config");
    fs::hard_link(&config, workspace.root().join("x")).unwrap();
    let before = workspace.read(Path::new("x")).unwrap();
    let after = Some(b"[core] fsmonitor=evil".to_vec());
    workspace.change(Path::new("x"), before, after).unwrap();
    assert_eq!(fs::read_to_string(config).unwrap(), "[core]");
}

#[test]
fn a_file_that_changed_since_it_was_read_is_not_overwritten() {
    let (_folder, workspace) = workspace();
    let file = Path::new("a.txt");
    let before = workspace.read(file).unwrap();
    fs::write(workspace.root().join("a.txt"), "by somebody else").unwrap();
    let late = workspace.change(file, before, Some(b"mine".to_vec()));
    assert!(matches!(late, Err(FileError::Changed(_))), "{late:?}");
    let content = fs::read_to_string(workspace.root().join("a.txt")).unwrap();
    assert_eq!(content, "by somebody else");
}

#[test]
fn a_file_that_appeared_since_is_not_overwritten() {
    let (_folder, workspace) = workspace();
    let file = Path::new("new.txt");
    let before = workspace.read_if_exists(file).unwrap();
    fs::write(workspace.root().join("new.txt"), "by somebody else").unwrap();
    let late = workspace.change(file, before, Some(b"mine".to_vec()));
    assert!(matches!(late, Err(FileError::Changed(_))), "{late:?}");
}

#[test]
fn a_file_that_is_not_found_has_a_suggestion() {
    let (_folder, workspace) = workspace();
    let error = workspace.read(Path::new("a.text")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "file not found: `a.text`; did you mean `a.txt`?"
    );
}

#[test]
fn versions_seen_report_changes_of_others_but_not_ones_own() {
    let (_folder, workspace) = workspace();
    let file = Path::new("a.txt");
    let before = workspace.read(file).unwrap();
    assert!(!workspace.saw(file, before.version.unwrap()));
    workspace
        .change(file, before, Some(b"two".to_vec()))
        .unwrap();
    let own = workspace.read(file).unwrap();
    assert!(!workspace.saw(file, own.version.unwrap()));
    fs::write(workspace.root().join("a.txt"), "three!").unwrap();
    let other = workspace.read(file).unwrap();
    assert!(workspace.saw(file, other.version.unwrap()));
}

/// An editor with one open file.
#[derive(Debug)]
struct OpenFile {
    text: &'static str,
    /// Whether it stores what is written, and refuses.
    saves: bool,
    refuses: bool,
    written: Mutex<Vec<(PathBuf, String)>>,
}

impl OpenFile {
    fn with(text: &'static str) -> Self {
        Self {
            text,
            saves: true,
            refuses: false,
            written: Mutex::default(),
        }
    }
}

impl EditorFiles for OpenFile {
    fn read(&self, path: &Path) -> Option<String> {
        path.ends_with("a.txt").then(|| self.text.to_owned())
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        if self.refuses {
            return Err("read-only".to_owned());
        }
        let mut written = self.written.lock().unwrap();
        written.push((path.to_owned(), text.to_owned()));
        if self.saves {
            fs::write(path, text).unwrap();
        }
        Ok(())
    }
}

fn in_editor(editor: OpenFile) -> (tempfile::TempDir, Workspace, Arc<OpenFile>) {
    let (folder, workspace) = workspace();
    fs::write(workspace.root().join("a.txt"), "stored\r\n").unwrap();
    fs::write(workspace.root().join("b.txt"), "other\n").unwrap();
    let editor = Arc::new(editor);
    let workspace = workspace.with_editor(Some(Arc::clone(&editor) as Arc<dyn EditorFiles>));
    (folder, workspace, editor)
}

#[test]
fn the_text_of_an_editor_is_read_with_the_line_ends_of_the_file() {
    let (_folder, workspace, _) = in_editor(OpenFile::with("unsaved\n"));
    let read = |path: &str| workspace.read(Path::new(path)).unwrap().content.unwrap();
    assert_eq!(read("a.txt"), b"unsaved\r\n");
    assert_eq!(read("b.txt"), b"other\n");
    let stored = workspace.read_stored(Path::new("a.txt")).unwrap();
    assert_eq!(stored.content.unwrap(), b"stored\r\n");
    let mut text = String::new();
    let (mut stream, _) = workspace.open_text(Path::new("a.txt")).unwrap();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text, "unsaved\r\n");
}

#[test]
fn changes_go_through_the_editor_and_are_stored() {
    for saves in [true, false] {
        let (_folder, workspace, editor) = in_editor(OpenFile {
            saves,
            ..OpenFile::with("unsaved\n")
        });
        let below = Path::new("a.txt");
        let before = workspace.read(below).unwrap();
        let change = workspace.change(below, before, Some(b"new\r\n".to_vec()));
        let change = change.unwrap();
        assert_eq!(change.before.unwrap(), b"unsaved\r\n");
        assert_eq!(change.after.unwrap(), b"new\r\n");
        let path = workspace.root().join("a.txt");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new\r\n");
        let written = editor.written.lock().unwrap().clone();
        assert_eq!(written, [(path, "new\r\n".to_owned())]);
    }
}

#[test]
fn an_editor_that_refuses_keeps_the_file_as_it_was() {
    let (_folder, workspace, _) = in_editor(OpenFile {
        refuses: true,
        ..OpenFile::with("unsaved\n")
    });
    let below = Path::new("a.txt");
    let before = workspace.read(below).unwrap();
    let refused = workspace.change(below, before, Some(b"new\n".to_vec()));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "cannot use `a.txt`: the editor refuses the change: read-only"
    );
    let path = workspace.root().join("a.txt");
    assert_eq!(fs::read_to_string(path).unwrap(), "stored\r\n");
}

#[test]
fn an_editor_does_not_change_a_protected_file_by_its_second_name() {
    let (_folder, workspace, editor) = in_editor(OpenFile::with("unsaved\n"));
    let config = workspace.root().join(".git/config");
    fs::hard_link(&config, workspace.root().join("x")).unwrap();
    let below = Path::new("x");
    let before = workspace.read(below).unwrap();
    let after = Some(b"[core] fsmonitor=evil".to_vec());
    workspace.change(below, before, after).unwrap();
    assert_eq!(fs::read_to_string(config).unwrap(), "[core]");
    assert!(editor.written.lock().unwrap().is_empty());
}
