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
