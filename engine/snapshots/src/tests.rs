//! Snapshots of real folders.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use tempfile::TempDir;

use crate::capture::Limits;
use crate::{ChangeKind, Scope, Snapshot, SnapshotStore};

mod merges;

/// A workspace with these files, and a store of snapshots in it.
struct Fixture {
    folder: TempDir,
    store: SnapshotStore,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SnapshotStore::new(&folder.path().join(".attractor/objects"));
        let fixture = Self { folder, store };
        for (path, text) in files {
            fixture.put(path, text);
        }
        fixture
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).unwrap();
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root().join(path)).ok()
    }

    fn take(&self) -> Snapshot {
        let scope = Scope {
            root: self.root(),
            runs_dir: &self.root().join("my-runs"),
            is_private: &|content| content.starts_with(b"private"),
        };
        self.store.take(scope).unwrap()
    }

    /// What differs between two snapshots, with the sizes of the stored contents.
    fn changes(&self, before: &Snapshot, after: &Snapshot) -> String {
        let mut text = String::new();
        for change in self.store.changes(&before.id, &after.id).unwrap() {
            let size = |entry: &Option<crate::Entry>| {
                let entry = entry.as_ref()?;
                let content = self.store.content(entry).unwrap();
                Some(content.map_or_else(|| "?".to_owned(), |one| one.len().to_string()))
            };
            let sizes = [size(&change.before), size(&change.after)]
                .map(|size| size.unwrap_or_else(|| "-".to_owned()));
            writeln!(
                text,
                "{:?} {} {}",
                change.kind(),
                change.path.display(),
                sizes.join(" ")
            )
            .unwrap();
        }
        text
    }

    fn check(&self, before: &Snapshot, act: impl FnOnce(&Self), expected: &Expect) -> Snapshot {
        act(self);
        let after = self.take();
        expected.assert_eq(&self.changes(before, &after));
        after
    }

    fn revert(&self, before: &Snapshot, after: &Snapshot) -> Result<String, String> {
        let reverted = self
            .store
            .revert(self.root(), &before.id, &after.id, |_| true);
        reverted
            .map(|one| format!("{one:?}"))
            .map_err(|error| error.to_string())
    }
}

#[test]
fn added_changed_and_deleted_files_are_found() {
    let fixture = Fixture::new(&[
        ("a.txt", "one"),
        ("src/deep/b.txt", "two"),
        ("src/gone.txt", "gone"),
        ("same/c.txt", "same"),
    ]);
    let before = fixture.take();
    fixture.check(
        &before,
        |fixture| {
            fixture.put("a.txt", "1234");
            fixture.put("src/deep/new.txt", "new");
            fixture.remove("src/gone.txt");
            fixture.put("same/c.txt", "same");
        },
        &expect![[r"
            Modified a.txt 3 4
            Added src/deep/new.txt - 3
            Deleted src/gone.txt 4 -
        "]],
    );
    assert_eq!(fixture.changes(&before, &before), "");
}

#[test]
fn what_is_not_content_is_left_out() {
    let fixture = Fixture::new(&[(".gitignore", "target\n"), ("a", "")]);
    let before = fixture.take();
    let after = fixture.check(
        &before,
        |fixture| {
            for path in [
                "target/a.o",
                ".git/HEAD",
                ".attractor/runs/x/journal.jsonl",
                "my-runs/x/journal.jsonl",
                ".env",
                ".env.local",
            ] {
                fixture.put(path, "changed");
            }
            fixture.put(".github/workflows/ci.yml", "on: push");
        },
        &expect![[r"
            Added .github/workflows/ci.yml - 8
        "]],
    );
    assert!(fixture.store.is_complete(&after.id).unwrap());
    assert_eq!(
        fixture.read(".attractor/objects/.gitignore").unwrap(),
        "*\n"
    );
}

#[test]
fn a_change_of_the_same_size_at_the_same_time_is_found() {
    let fixture = Fixture::new(&[("a", "one")]);
    let modified = fs::metadata(fixture.root().join("a")).unwrap().modified();
    let before = fixture.take();
    fixture.check(
        &before,
        |fixture| {
            fixture.put("a", "two");
            let file = fs::File::options()
                .write(true)
                .open(fixture.root().join("a"));
            file.unwrap().set_modified(modified.unwrap()).unwrap();
        },
        &expect![[r"
            Modified a 3 3
        "]],
    );
}

#[test]
fn links_and_permissions_are_recorded_and_restored() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let fixture = Fixture::new(&[("run.sh", "#!/bin/sh"), ("a", "a")]);
    let script = fixture.root().join("run.sh");
    let mode = |mode| fs::set_permissions(&script, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o755);
    symlink("a", fixture.root().join("link")).unwrap();
    symlink("/etc", fixture.root().join("outside")).unwrap();
    let before = fixture.take();
    let after = fixture.check(
        &before,
        |fixture| {
            mode(0o644);
            fixture.remove("link");
            symlink("run.sh", fixture.root().join("link")).unwrap();
        },
        &expect![[r"
            Modified link 1 6
            Modified run.sh 9 9
        "]],
    );
    fixture.revert(&before, &after).unwrap();
    assert_eq!(
        fs::read_link(fixture.root().join("link")).unwrap(),
        Path::new("a")
    );
    let permissions = fs::metadata(&script).unwrap().permissions();
    assert_eq!(permissions.mode() & 0o777, 0o755);
}

#[test]
fn a_revert_restores_exactly_what_was_changed() {
    let fixture = Fixture::new(&[("a", "one"), ("d/gone", "gone"), ("other", "x")]);
    let before = fixture.take();
    fixture.put("a", "two");
    fixture.put("new/deep/file", "new");
    fs::remove_dir_all(fixture.root().join("d")).unwrap();
    let after = fixture.take();
    // Changed by somebody else afterwards.
    fixture.put("other", "y");
    expect![[
        r#"Ok("Reverted { restored: [\"a\", \"d/gone\"], removed: [\"new/deep/file\"], unchanged: [] }")"#
    ]]
    .assert_eq(&format!("{:?}", fixture.revert(&before, &after)));
    assert_eq!(fixture.read("a").unwrap(), "one");
    assert_eq!(fixture.read("d/gone").unwrap(), "gone");
    assert_eq!(fixture.read("other").unwrap(), "y");
    assert!(!fixture.root().join("new").exists());
    // A second time there is nothing to do.
    let again = fixture.revert(&before, &after).unwrap();
    assert!(again.contains("restored: [], removed: []"), "{again}");
}

#[test]
fn a_revert_changes_nothing_where_a_file_has_changed_since() {
    let fixture = Fixture::new(&[("a", "one"), ("b", "one")]);
    let before = fixture.take();
    fixture.put("a", "two");
    fixture.put("b", "two");
    let after = fixture.take();
    fixture.put("b", "three");
    expect!["nothing was reverted, because these files have changed since: `b`; undo those changes first, or restore the files by hand"]
        .assert_eq(&fixture.revert(&before, &after).unwrap_err());
    assert_eq!(fixture.read("a").unwrap(), "two");
    let only_a = fixture
        .store
        .revert(fixture.root(), &before.id, &after.id, |path| {
            path == Path::new("a")
        });
    assert!(only_a.is_ok());
    assert_eq!(fixture.read("a").unwrap(), "one");
}

#[test]
fn a_revert_does_not_follow_a_link_out_of_the_workspace() {
    let outside = tempfile::tempdir().unwrap();
    let fixture = Fixture::new(&[("d/a", "one")]);
    let before = fixture.take();
    fs::remove_dir_all(fixture.root().join("d")).unwrap();
    std::os::unix::fs::symlink(outside.path(), fixture.root().join("d")).unwrap();
    let after = fixture.take();
    fixture.revert(&before, &after).unwrap();
    assert_eq!(fixture.read("d/a").unwrap(), "one");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    // The link is back, and `d/a` is to be written through it.
    fs::remove_dir_all(fixture.root().join("d")).unwrap();
    std::os::unix::fs::symlink(outside.path(), fixture.root().join("d")).unwrap();
    let only = |path: &Path| path == Path::new("d/a");
    let reverted = fixture
        .store
        .revert(fixture.root(), &before.id, &after.id, only);
    assert!(reverted.is_err(), "{reverted:?}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn what_is_too_large_is_listed_and_not_reverted() {
    let mut fixture = Fixture::new(&[("large", "0123456789"), ("huge", &"x".repeat(100))]);
    let limits = Limits {
        stored_size: 5,
        read_size: 50,
        ..Limits::default()
    };
    fixture.store = fixture.store.clone().with_limits(limits);
    let before = fixture.take();
    let after = fixture.check(
        &before,
        |fixture| {
            fixture.put("large", "9876543210");
            fixture.put("huge", &"y".repeat(101));
        },
        &expect![[r"
            Modified huge ? ?
            Modified large ? ?
        "]],
    );
    let error = fixture.revert(&before, &after).unwrap_err();
    assert!(error.contains("not stored"), "{error}");
    assert!(error.contains("`huge`, `large`"), "{error}");
}

#[test]
fn a_snapshot_reads_a_bounded_number_of_files_the_latest_first() {
    let names: Vec<String> = (0..20).map(|one| format!("{one:02}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "x")).collect();
    let mut fixture = Fixture::new(&files);
    let old = std::time::SystemTime::UNIX_EPOCH;
    for name in names.iter().skip(1) {
        let file = fs::File::options()
            .write(true)
            .open(fixture.root().join(name));
        file.unwrap().set_modified(old).unwrap();
    }
    let limits = Limits {
        reads: 5,
        ..Limits::default()
    };
    fixture.store = fixture.store.clone().with_limits(limits);
    let before = fixture.take();
    let stored = |snapshot: &Snapshot| {
        let files = fixture.store.files(&snapshot.id).unwrap();
        let stored = files.iter().filter(|(_, entry)| entry.checksum.is_some());
        stored
            .map(|(path, _)| path.display().to_string())
            .collect::<Vec<_>>()
    };
    let first = stored(&before);
    assert!(
        first.len() == 5 && first.contains(&"00".to_owned()),
        "{first:?}"
    );
    // Later snapshots read on; what is only now known is not a change.
    let after = fixture.take();
    assert!(stored(&after).len() > 5);
    assert_eq!(fixture.changes(&before, &after), "");
}

#[test]
fn what_is_beyond_the_recorded_files_is_not_taken_for_added_or_deleted() {
    let mut fixture = Fixture::new(&[("a", ""), ("b", ""), ("c", "")]);
    let all = fixture.take();
    let limits = Limits {
        files: 2,
        ..Limits::default()
    };
    fixture.store = fixture.store.clone().with_limits(limits);
    let some = fixture.take();
    let is_complete = |snapshot: &Snapshot| fixture.store.is_complete(&snapshot.id).unwrap();
    assert!(is_complete(&all) && !is_complete(&some));
    assert_eq!(fixture.store.files(&some.id).unwrap().len(), 2);
    assert_eq!(fixture.changes(&all, &some), "");
    assert_eq!(fixture.changes(&some, &all), "");
}

#[test]
fn a_snapshot_is_restored_into_a_folder() {
    let fixture = Fixture::new(&[("a", "one"), ("d/b", "two")]);
    let snapshot = fixture.take();
    fixture.put("a", "changed");
    let copy = tempfile::tempdir().unwrap();
    assert!(
        fixture
            .store
            .restore(&snapshot.id, copy.path())
            .unwrap()
            .is_empty()
    );
    assert_eq!(fs::read_to_string(copy.path().join("a")).unwrap(), "one");
    assert_eq!(fs::read_to_string(copy.path().join("d/b")).unwrap(), "two");
}

#[test]
fn objects_that_no_snapshot_needs_are_removed() {
    let fixture = Fixture::new(&[("a", "one"), ("d/b", "stays")]);
    let first = fixture.take();
    fixture.put("a", "two");
    let second = fixture.take();
    let ids = (first.id.clone(), second.id.clone());
    let retain = |ids: &[&crate::SnapshotId]| {
        let needed = ids.iter().map(|id| (*id).clone()).collect();
        fixture.store.retain(|| needed).unwrap()
    };
    // Nothing is removed while a snapshot is in use.
    assert_eq!(retain(&[]), 0);
    drop((first, second));
    assert_eq!(retain(&[&ids.0, &ids.1]), 0);
    assert!(retain(&[&ids.1]) > 0);
    assert!(fixture.store.files(&ids.0).is_err());
    let files = fixture.store.files(&ids.1).unwrap();
    let contents: Vec<_> = files
        .iter()
        .map(|(_, entry)| fixture.store.content(entry).unwrap().unwrap())
        .collect();
    assert_eq!(contents, [b"two".to_vec(), b"stays".to_vec()]);
}

#[test]
fn damaged_content_is_reported_and_stored_again() {
    let fixture = Fixture::new(&[("a", "one")]);
    let snapshot = fixture.take();
    let (_, entry) = fixture.store.files(&snapshot.id).unwrap().remove(0);
    let checksum = entry.checksum.clone().unwrap();
    let (folder, name) = checksum.split_at(2);
    let object = format!(".attractor/objects/{folder}/{name}");
    fixture.put(&object, "damaged");
    let error = fixture.store.content(&entry).unwrap_err().to_string();
    assert!(error.contains("does not match its checksum"), "{error}");
    fixture.put("b", "one");
    fixture.take();
    assert_eq!(fixture.store.content(&entry).unwrap().unwrap(), b"one");
}

#[test]
fn unusual_names_are_files_like_others() {
    let fixture = Fixture::new(&[("a b\nc", "one"), ("ü -", "two")]);
    let before = fixture.take();
    fixture.put("a b\nc", "changed");
    let changes = fixture
        .store
        .changes(&before.id, &fixture.take().id)
        .unwrap();
    let changes: Vec<_> = changes.iter().map(|one| (one.kind(), &*one.path)).collect();
    assert_eq!(changes, [(ChangeKind::Modified, Path::new("a b\nc"))]);
}

#[test]
fn private_contents_are_recorded_by_their_checksum_only() {
    let bench = Fixture::new(&[]);
    bench.put("a.txt", "private 1");
    let before = bench.take();
    bench.put("a.txt", "private 2");
    let after = bench.take();
    let changes = bench.store.changes(&before.id, &after.id).unwrap();
    let [change] = changes.as_slice() else {
        unreachable!("one change: {changes:?}")
    };
    for entry in [&change.before, &change.after] {
        let entry = entry.as_ref().unwrap();
        assert_eq!(bench.store.content(entry).unwrap(), None);
    }
}
