//! Undoing what tools did.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect;
use serde_json::{Value, json};

use super::*;
use crate::clock::FixedClock;
use crate::tools::tests::Fixture;

struct Session {
    files: Fixture,
    tracker: FileChangeTracker,
}

impl Session {
    fn new(files: &[(&str, &str)]) -> Self {
        Self {
            files: Fixture::new(files),
            tracker: FileChangeTracker::new(Arc::new(FixedClock(7.0))),
        }
    }

    async fn call(&self, tool: &str, arguments: Value) {
        let result = self.files.result(tool, arguments).await;
        assert!(!result.is_error, "{}", result.output);
        for change in result.changes {
            self.tracker.record(tool, change);
        }
    }

    async fn write(&self, path: &str, content: &str) {
        let arguments = json!({"path": path, "content": content});
        self.call("write_file", arguments).await;
    }

    fn undo(&self, scope: &UndoScope) -> String {
        match self.tracker.undo(scope, &self.files.context.workspace) {
            Ok(undone) => {
                let lines: Vec<_> = undone.iter().map(ToString::to_string).collect();
                lines.join(", ")
            }
            Err(error) => format!("error: {error}"),
        }
    }
}

#[tokio::test]
async fn the_last_change_is_undone_once() {
    let one = Session::new(&[("a.txt", "1\n")]);
    one.write("a.txt", "2\n").await;
    one.write("new.txt", "x\n").await;
    assert_eq!(one.undo(&UndoScope::Last), "deleted new.txt");
    assert!(!one.files.path("new.txt").exists());
    assert_eq!(one.undo(&UndoScope::Last), "reverted a.txt");
    assert_eq!(one.files.read("a.txt"), "1\n");
    assert_eq!(one.undo(&UndoScope::Last), "error: nothing to undo");
    assert_eq!(
        one.undo(&UndoScope::Change(1)),
        "error: change 1 has already been undone"
    );
    assert_eq!(one.undo(&UndoScope::Change(9)), "error: nothing to undo");
}

#[tokio::test]
async fn a_turn_is_undone_as_a_whole() {
    let one = Session::new(&[("a.txt", "1\n"), ("run.sh", "x\n")]);
    let script = one.files.path("run.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    one.tracker.begin_turn();
    one.write("a.txt", "2\n").await;
    one.tracker.begin_turn();
    one.write("a.txt", "3\n").await;
    one.write("b.txt", "b\n").await;
    let delete = json!({"input": "*** Begin Patch\n*** Delete File: run.sh\n*** End Patch"});
    one.call("apply_patch", delete).await;
    one.write("a.txt", "4\n").await;
    assert_eq!(
        one.undo(&UndoScope::Turn),
        "reverted a.txt, restored run.sh, deleted b.txt, reverted a.txt"
    );
    assert_eq!(one.files.read("a.txt"), "2\n");
    let mode = fs::metadata(script).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(one.undo(&UndoScope::Turn), "reverted a.txt");
    assert_eq!(one.undo(&UndoScope::Turn), "error: nothing to undo");
}

#[tokio::test]
async fn the_last_change_of_a_file_is_undone() {
    let one = Session::new(&[("a.txt", "1\n"), ("b.txt", "1\n")]);
    one.write("a.txt", "2\n").await;
    one.write("b.txt", "2\n").await;
    assert_eq!(one.undo(&UndoScope::File("a.txt".into())), "reverted a.txt");
    assert_eq!(one.files.read("b.txt"), "2\n");
    assert_eq!(
        one.undo(&UndoScope::File("a.txt".into())),
        "error: nothing to undo"
    );
}

#[tokio::test]
async fn a_later_change_is_not_lost() {
    let one = Session::new(&[("a.txt", "1\n")]);
    one.write("a.txt", "2\n").await;
    one.write("a.txt", "3\n").await;
    let refused =
        "error: `a.txt` has changed since; undo the later changes first, or edit it by hand";
    assert_eq!(one.undo(&UndoScope::Change(1)), refused);
    fs::write(one.files.path("a.txt"), "by hand\n").unwrap();
    assert_eq!(one.undo(&UndoScope::Last), refused);
    assert_eq!(one.files.read("a.txt"), "by hand\n");
}

#[tokio::test]
async fn a_folder_that_became_a_link_is_not_followed() {
    let one = Session::new(&[("src/a.txt", "1\n")]);
    one.write("src/a.txt", "2\n").await;
    let outside = one.files.outside().join("victim");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.txt"), "2\n").unwrap();
    fs::rename(one.files.path("src"), one.files.path("moved")).unwrap();
    std::os::unix::fs::symlink(&outside, one.files.path("src")).unwrap();
    let refused = one.undo(&UndoScope::Last);
    assert!(refused.contains("outside the working folder"), "{refused}");
    assert_eq!(fs::read_to_string(outside.join("a.txt")).unwrap(), "2\n");
}

#[tokio::test]
async fn the_pending_diff_is_that_of_the_files() {
    let one = Session::new(&[("a.txt", "1\n2\n3\n"), ("b.txt", "b\n")]);
    one.write("a.txt", "1\ntwo\n3\n").await;
    one.write("a.txt", "1\ntwo\n3\n4\n").await;
    one.write("new.txt", "x").await;
    one.write("same.txt", "x").await;
    one.undo(&UndoScope::Last);
    let delete = json!({"input": "*** Begin Patch\n*** Delete File: b.txt\n*** End Patch"});
    one.call("apply_patch", delete).await;
    one.write("binary", "\0").await;
    one.write("large", &"x".repeat(2 << 20)).await;
    expect![[r#"
        --- a/a.txt
        +++ b/a.txt
        @@ -1,3 +1,4 @@
         1
        -2
        +two
         3
        +4
        --- /dev/null
        +++ b/new.txt
        @@ -0,0 +1 @@
        +x
        \ No newline at end of file
        --- a/b.txt
        +++ /dev/null
        @@ -1 +0,0 @@
        -b
        Binary files /dev/null and b/binary differ
        Files /dev/null and b/large differ: 0 and 2097152 bytes
    "#]]
    .assert_eq(&one.tracker.pending_diff());
}

#[tokio::test]
async fn a_hundred_changes_are_remembered() {
    let one = Session::new(&[]);
    for number in 0..130 {
        let change = FileChange {
            path: format!("{number}.txt").into(),
            before: None,
            mode: None,
            after: Some(b"x".to_vec()),
        };
        one.tracker.record("write_file", change);
    }
    let changes = one.tracker.changes();
    assert_eq!(changes.len(), 100);
    assert_eq!((changes[0].number, changes[99].number), (31, 130));
    assert_eq!(
        (changes[0].timestamp, changes[0].tool.as_str()),
        (7.0, "write_file")
    );
}
