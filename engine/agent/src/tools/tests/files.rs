//! `read_file`, `write_file`, `edit_file`, `list_dir`: what they do, and every way out of the folder.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use expect_test::expect;
use serde_json::json;

use super::Fixture;

#[tokio::test]
async fn a_file_is_read_with_line_numbers() {
    let one = Fixture::new(&[("a.txt", "one\r\ntwo\nthree")]);
    let whole = one.call("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(whole, "     1\tone\n     2\ttwo\n     3\tthree\n");
    let part = json!({"path": one.path("a.txt"), "offset": 2, "limit": 1});
    assert_eq!(one.call("read_file", part).await, "     2\ttwo\n");
    let behind = json!({"path": "a.txt", "offset": 9});
    expect!["error: `offset` is 9, but `a.txt` has 3 lines"]
        .assert_eq(&one.call("read_file", behind).await);
}

#[tokio::test]
async fn empty_binary_missing_and_marked_files_are_read_or_refused() {
    let one = Fixture::new(&[("empty", ""), ("marked", "\u{feff}x"), ("binary", "a\0b")]);
    let mut results = Vec::new();
    for path in ["empty", "marked", "binary", "binarry", "."] {
        results.push(one.call("read_file", json!({"path": path})).await);
    }
    expect![[r#"
        [the file is empty]
             1	x

        error: `binary` is a binary file of 3 bytes; use the shell to look into it
        error: file not found: `binarry`; did you mean `binary`?
        error: `.` is a folder, not a file"#]]
    .assert_eq(&results.join("\n"));
}

#[tokio::test]
async fn a_huge_line_and_a_huge_file_are_bounded() {
    let one = Fixture::new(&[]);
    one.write("line", &vec![b'x'; 50 << 20]);
    let line = one.call("read_file", json!({"path": "line"})).await;
    assert!(line.len() < 2 << 20);
    assert!(line.ends_with("[line 1 has 51380224 more bytes; use the shell to look into it]"));
    one.write("lines", "0123456789\n".repeat(1 << 20).as_bytes());
    let lines = one.call("read_file", json!({"path": "lines"})).await;
    assert!(lines.len() < 2 << 20);
    let note = lines.lines().next_back().unwrap();
    let next = note
        .strip_prefix("[more follows: read it with offset ")
        .and_then(|note| note.strip_suffix(']'))
        .unwrap_or_else(|| panic!("{note}"));
    let next: usize = next.parse().unwrap();
    let rest = json!({"path": "lines", "offset": next, "limit": 1});
    assert_eq!(
        one.call("read_file", rest).await,
        format!("{next:>6}\t0123456789\n")
    );
}

#[tokio::test]
async fn a_fifo_does_not_hang_a_read_a_write_or_a_search() {
    let one = Fixture::new(&[]);
    let made = Command::new("mkfifo").arg(one.path("fifo")).status();
    assert!(made.unwrap().success());
    let mut results = Vec::new();
    for (tool, arguments) in [
        ("read_file", json!({"path": "fifo"})),
        ("write_file", json!({"path": "fifo", "content": "x"})),
        (
            "edit_file",
            json!({"path": "fifo", "old_string": "x", "new_string": "y"}),
        ),
        ("grep", json!({"pattern": "x", "path": "fifo"})),
        ("grep", json!({"pattern": "x"})),
    ] {
        results.push(one.call(tool, arguments).await);
    }
    expect![[r#"
        error: cannot read `fifo`: it is not a regular file but a device, a FIFO or a socket
        error: cannot read `fifo`: it is not a regular file but a device, a FIFO or a socket
        error: cannot read `fifo`: it is not a regular file but a device, a FIFO or a socket
        error: cannot read `fifo`: it is not a regular file but a device, a FIFO or a socket
        No matches found."#]]
    .assert_eq(&results.join("\n"));
}

#[tokio::test]
async fn a_file_is_written_with_its_folders() {
    let one = Fixture::new(&[]);
    let result = one
        .result("write_file", json!({"path": "a/b/c.txt", "content": "x\n"}))
        .await;
    assert_eq!(result.output, "Successfully wrote to a/b/c.txt");
    assert_eq!(one.read("a/b/c.txt"), "x\n");
    let change = &result.changes[0];
    assert_eq!(change.path.to_str(), Some("a/b/c.txt"));
    assert_eq!(
        (change.before.as_deref(), change.after.as_deref()),
        (None, Some(&b"x\n"[..]))
    );
}

#[tokio::test]
async fn line_ends_mark_and_permissions_survive() {
    let one = Fixture::new(&[("a.sh", "\u{feff}one\r\ntwo\r\n")]);
    fs::set_permissions(one.path("a.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let edit = json!({"path": "a.sh", "old_string": "one\ntwo", "new_string": "1\n2\n3"});
    assert_eq!(
        one.call("edit_file", edit).await,
        "Successfully edited a.sh"
    );
    assert_eq!(one.read("a.sh"), "\u{feff}1\r\n2\r\n3\r\n");
    let write = json!({"path": "a.sh", "content": "x\ny\n"});
    one.call("write_file", write).await;
    assert_eq!(one.read("a.sh"), "\u{feff}x\r\ny\r\n");
    let mode = fs::metadata(one.path("a.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[tokio::test]
async fn bytes_that_are_not_utf8_survive_an_edit() {
    let one = Fixture::new(&[]);
    one.write("latin1.txt", b"caf\xe9\nold\n");
    let edit = json!({"path": "latin1.txt", "old_string": "old", "new_string": "new"});
    one.call("edit_file", edit).await;
    assert_eq!(fs::read(one.path("latin1.txt")).unwrap(), b"caf\xe9\nnew\n");
}

#[tokio::test]
async fn every_occurrence_is_replaced_when_asked_for() {
    let one = Fixture::new(&[("a.txt", "x y x\nx\n")]);
    let edit = json!({"path": "a.txt", "old_string": "x", "new_string": "z", "replace_all": true});
    assert_eq!(
        one.call("edit_file", edit).await,
        "Successfully edited a.txt (3 occurrences)"
    );
    assert_eq!(one.read("a.txt"), "z y z\nz\n");
}

#[tokio::test]
async fn a_change_by_somebody_else_is_kept_and_reported() {
    let one = Fixture::new(&[("a.txt", "one\ntwo\n")]);
    one.call("read_file", json!({"path": "a.txt"})).await;
    fs::write(one.path("a.txt"), "zero\none\ntwo\n").unwrap();
    let edit = json!({"path": "a.txt", "old_string": "two", "new_string": "2"});
    expect![[r#"
        Successfully edited a.txt
        Note: the file was modified by another program since it was last read here; the rest of the file is as they left it."#]]
    .assert_eq(&one.call("edit_file", edit).await);
    assert_eq!(one.read("a.txt"), "zero\none\n2\n");
    let edit = json!({"path": "a.txt", "old_string": "2", "new_string": "3"});
    assert_eq!(
        one.call("edit_file", edit).await,
        "Successfully edited a.txt"
    );
}

#[tokio::test]
async fn two_sessions_on_one_file_lose_nothing() {
    let one = Fixture::new(&[("a.txt", "")]);
    let lines = (0..40)
        .map(|n| format!("<{n}>"))
        .collect::<Vec<_>>()
        .join("\n");
    one.write("a.txt", lines.as_bytes());
    let mut other = Fixture::new(&[]);
    let workspace = crate::workspace::Workspace::open(one.context.workspace.root()).unwrap();
    other.context.workspace = std::sync::Arc::new(workspace);
    let edits = |fixture: Fixture, odd: usize| async move {
        for n in (0..40).filter(|n| n % 2 == odd) {
            loop {
                let edit = json!({
                    "path": "a.txt", "old_string": format!("<{n}>"), "new_string": format!("[{n}]")
                });
                let result = fixture.result("edit_file", edit).await;
                if !result.is_error {
                    break;
                }
                assert!(
                    result.output.contains("modified concurrently"),
                    "{}",
                    result.output
                );
            }
        }
        fixture
    };
    let (one, _other) = tokio::join!(tokio::spawn(edits(one, 0)), tokio::spawn(edits(other, 1)));
    let expected = lines.replace('<', "[").replace('>', "]");
    assert_eq!(one.unwrap().read("a.txt"), expected);
}

/// Every path that leads to a file outside, by every tool.
#[tokio::test]
async fn no_tool_leaves_the_folder() {
    let one = Fixture::new(&[("src/in.txt", "inside")]);
    let secret = one.outside().join("secret.txt");
    fs::write(&secret, "secret").unwrap();
    symlink("../secret.txt", one.path("link")).unwrap();
    symlink("..", one.path("up")).unwrap();
    symlink("/proc/self/root", one.path("magic")).unwrap();
    let magic = format!("magic{}", secret.display());
    let proc = format!("/proc/self/root{}", secret.display());
    let paths = [
        "../secret.txt",
        "src/../../secret.txt",
        secret.to_str().unwrap(),
        "link",
        "up/secret.txt",
        &magic,
        &proc,
    ];
    for path in paths {
        for (tool, arguments) in [
            ("read_file", json!({"path": path})),
            ("write_file", json!({"path": path, "content": "attack"})),
            (
                "edit_file",
                json!({"path": path, "old_string": "secret", "new_string": "attack"}),
            ),
            ("grep", json!({"path": path, "pattern": "secret"})),
            ("glob", json!({"path": path, "pattern": "*"})),
            ("list_dir", json!({"path": path})),
        ] {
            let result = one.call(tool, arguments).await;
            assert!(
                result.starts_with("error: ") && result.contains("outside the working folder"),
                "{tool} {path}: {result}"
            );
        }
    }
    for folder in ["up", "..", "/", "magic"] {
        for (tool, arguments) in [
            ("list_dir", json!({"path": folder})),
            ("glob", json!({"path": folder, "pattern": "**/secret.txt"})),
            ("grep", json!({"path": folder, "pattern": "secret"})),
        ] {
            let result = one.call(tool, arguments).await;
            assert!(
                result.contains("outside the working folder"),
                "{tool} {folder}: {result}"
            );
        }
    }
    let found = one.call("grep", json!({"pattern": "secret"})).await;
    assert_eq!(found, "No matches found.");
    let found = one.call("glob", json!({"pattern": "**/secret.txt"})).await;
    assert_eq!(found, "No files matched.");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
}

#[tokio::test]
async fn state_of_git_and_of_runs_is_not_written() {
    let one = Fixture::new(&[(".git/config", "[core]"), (".attractor/config.toml", "")]);
    symlink(".git", one.path("alias")).unwrap();
    for path in [
        ".git/config",
        ".git/hooks/pre-commit",
        "alias/hooks/pre-commit",
        "sub/.git/config",
        ".attractor/config.toml",
        ".attractor/runs/1/journal.jsonl",
    ] {
        let write = json!({"path": path, "content": "attack"});
        let result = one.call("write_file", write).await;
        assert!(result.contains("is write-protected"), "{path}: {result}");
    }
    let edit = json!({"path": ".git/config", "old_string": "core", "new_string": "attack"});
    let result = one.call("edit_file", edit).await;
    assert!(result.contains("is write-protected"), "{result}");
    assert_eq!(one.read(".git/config"), "[core]");
    assert!(!one.path(".git/hooks").exists());
    let read = one.call("read_file", json!({"path": ".git/config"})).await;
    assert_eq!(read, "     1\t[core]\n");
}

#[tokio::test]
async fn a_folder_is_listed() {
    let one = Fixture::new(&[("b/c/d.txt", "12"), ("a\nb.txt", ""), (".hidden", "1")]);
    symlink("b", one.path("link")).unwrap();
    expect![[r#"
        .hidden (1 bytes)
        "a\nb.txt" (0 bytes)
        b/
          c/
        link@"#]]
    .assert_eq(&one.call("list_dir", json!({"depth": 2})).await);
    let empty = Fixture::new(&[]);
    assert_eq!(
        empty.call("list_dir", json!({})).await,
        "[the folder is empty]"
    );
    let missing = one.call("list_dir", json!({"path": "nowhere"})).await;
    assert_eq!(missing, "error: file not found: `nowhere`");
}
