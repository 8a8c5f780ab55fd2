//! Copies of a workspace that are changed and merged into it.

use std::path::PathBuf;

use super::*;
use crate::{MergeSource, Merged};

/// What the copies `a` and `b` do, each in a copy of the workspace.
type Act<'a> = &'a dyn Fn(&Path);

struct Copies {
    fixture: Fixture,
    all: TempDir,
    sources: Vec<MergeSource>,
}

impl Copies {
    fn new(files: &[(&str, &str)], acts: &[Act<'_>]) -> Self {
        let fixture = Fixture::new(files);
        let all = tempfile::tempdir().unwrap();
        let base = fixture.take();
        let mut sources = Vec::new();
        for (name, act) in ["a", "b", "c"].iter().zip(acts) {
            let folder = all.path().join(name);
            fs::create_dir(&folder).unwrap();
            fixture
                .store
                .check_out(&base.id, fixture.root(), &folder)
                .unwrap();
            let store = store(&fixture, &all.path().join(format!("{name}.cache")));
            let before = take(&store, &folder);
            act(&folder);
            let after = take(&store, &folder);
            sources.push(MergeSource {
                name: (*name).to_owned(),
                folder,
                before: before.id.clone(),
                after: after.id.clone(),
            });
        }
        Self {
            fixture,
            all,
            sources,
        }
    }

    fn merge(&self) -> Merged {
        let root = self.fixture.root();
        self.fixture.store.merge(root, &self.sources).unwrap()
    }

    /// The report, and the files of the workspace after it.
    fn check(&self, expected: &Expect) {
        let merged = self.merge();
        expected.assert_eq(&format!(
            "{}{}",
            report(&merged),
            files(self.fixture.root())
        ));
    }
}

fn store(fixture: &Fixture, cache: &Path) -> SnapshotStore {
    fixture.store.clone().caching_in(cache.to_owned())
}

fn take(store: &SnapshotStore, folder: &Path) -> Snapshot {
    let scope = Scope {
        root: folder,
        runs_dir: Path::new("/nowhere"),
        is_private: &|content| content.starts_with(b"private"),
    };
    store.take(scope).unwrap()
}

fn report(merged: &Merged) -> String {
    let mut text = String::new();
    for file in &merged.files {
        let sources = file.sources.join("+");
        writeln!(
            text,
            "{:?} {} by {sources}",
            file.change,
            file.path.display()
        )
        .unwrap();
    }
    for conflict in &merged.conflicts {
        let workspace = if conflict.in_workspace {
            "+workspace"
        } else {
            ""
        };
        writeln!(
            text,
            "CONFLICT {} by {}{workspace}: {:?}",
            conflict.path.display(),
            conflict.sources.join("+"),
            conflict.reason
        )
        .unwrap();
    }
    text
}

/// The files beneath a folder with their texts.
fn files(root: &Path) -> String {
    let mut open = vec![root.to_owned()];
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let is_state = entry.file_name() == ".attractor";
            match entry.file_type().unwrap() {
                kind if kind.is_dir() && !is_state => open.push(entry.path()),
                kind if kind.is_dir() => {}
                _ => found.push(entry.path()),
            }
        }
    }
    found.sort();
    let mut text = String::new();
    for path in found {
        let content = fs::read(&path).unwrap();
        let shown = path.strip_prefix(root).unwrap().display();
        writeln!(text, "{shown} {:?}", String::from_utf8_lossy(&content)).unwrap();
    }
    text
}

fn put(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const NUMBERS: &str = "1\n2\n3\n4\n5\n6\n7\n";

#[test]
fn disjoint_changes_are_taken_over() {
    let copies = Copies::new(
        &[
            ("one", "1\n"),
            ("two", "2\n"),
            ("gone", "x\n"),
            ("same", "s\n"),
        ],
        &[
            &|a| {
                put(a, "one", "I\n");
                put(a, "new/a", "a\n");
                put(a, "same", "S\n");
            },
            &|b| {
                put(b, "two", "II\n");
                fs::remove_file(b.join("gone")).unwrap();
                put(b, "same", "S\n");
            },
        ],
    );
    let expected = expect![[r#"
        Deleted gone by b
        Added new/a by a
        Modified one by a
        Modified same by a+b
        Modified two by b
        new/a "a\n"
        one "I\n"
        same "S\n"
        two "II\n"
    "#]];
    copies.check(&expected);
    // A merge that was interrupted is repeated.
    put(copies.fixture.root(), "one", "1\n");
    copies.check(&expected);
}

#[test]
fn changes_of_different_lines_are_merged() {
    let copies = Copies::new(
        &[("n", NUMBERS)],
        &[
            &|a| put(a, "n", &NUMBERS.replace('1', "one")),
            &|b| put(b, "n", &NUMBERS.replace('7', "seven")),
            &|c| put(c, "n", &NUMBERS.replace('4', "four")),
        ],
    );
    let expected = expect![[r#"
        Modified n by a+b+c
        n "one\n2\n3\nfour\n5\n6\nseven\n"
    "#]];
    copies.check(&expected);
    copies.check(&expected);
    assert_eq!(copies.all.path().join("a/n").metadata().unwrap().len(), 16);
}

#[test]
fn nothing_is_written_where_there_is_a_conflict() {
    let copies = Copies::new(
        &[
            ("lines", NUMBERS),
            ("deleted", "d\n"),
            ("binary", "\0\n"),
            ("one", "1\n"),
        ],
        &[
            &|a| {
                put(a, "lines", &NUMBERS.replace('3', "three"));
                put(a, "added", "a\n");
                put(a, "binary", "\0a\n");
                put(a, "one", "I\n");
                fs::remove_file(a.join("deleted")).unwrap();
                put(a, "name", "a file\n");
            },
            &|b| {
                put(b, "lines", &NUMBERS.replace('3', "III"));
                put(b, "added", "b\n");
                put(b, "binary", "\0b\n");
                put(b, "deleted", "D\n");
                put(b, "name/inner", "in a folder\n");
            },
        ],
    );
    copies.check(&expect![[r#"
        Added name by a
        Added name/inner by b
        Modified one by a
        CONFLICT added by a+b: AddedTwice
        CONFLICT binary by a+b: NotText
        CONFLICT deleted by a+b: DeletedAndChanged
        CONFLICT lines by a+b: SameLines
        CONFLICT name/inner by b: FileAndFolder
        binary "\0\n"
        deleted "d\n"
        lines "1\n2\n3\n4\n5\n6\n7\n"
        one "1\n"
    "#]]);
}

#[test]
fn what_the_workspace_has_changed_meanwhile_is_kept() {
    let copies = Copies::new(
        &[("n", NUMBERS), ("m", NUMBERS), ("other", "o\n")],
        &[&|a| {
            put(a, "n", &NUMBERS.replace('1', "one"));
            put(a, "m", &NUMBERS.replace('1', "one"));
        }],
    );
    put(copies.fixture.root(), "n", &NUMBERS.replace('7', "seven"));
    put(copies.fixture.root(), "other", "changed\n");
    let expected = expect![[r#"
        Modified m by a
        Modified n by a
        m "one\n2\n3\n4\n5\n6\n7\n"
        n "one\n2\n3\n4\n5\n6\nseven\n"
        other "changed\n"
    "#]];
    copies.check(&expected);
    put(copies.fixture.root(), "m", &NUMBERS.replace('1', "I"));
    copies.check(&expect![[r#"
        Modified n by a
        CONFLICT m by a+workspace: SameLines
        m "I\n2\n3\n4\n5\n6\n7\n"
        n "one\n2\n3\n4\n5\n6\nseven\n"
        other "changed\n"
    "#]]);
    fs::remove_file(copies.fixture.root().join("m")).unwrap();
    let merged = copies.merge();
    assert!(report(&merged).contains("CONFLICT m by a+workspace: DeletedAndChanged"));
}

#[test]
fn kinds_of_files_are_merged() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let copies = Copies::new(
        &[
            ("run.sh", NUMBERS),
            ("target", "t\n"),
            ("large", "private 1\n"),
        ],
        &[
            &|a| {
                let path = a.join("run.sh");
                fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
                symlink("target", a.join("link")).unwrap();
                // Its content is not stored.
                put(a, "large", "private 2\n");
            },
            &|b| put(b, "run.sh", &NUMBERS.replace('7', "seven")),
        ],
    );
    copies.check(&expect![[r#"
        Modified large by a
        Added link by a
        Modified run.sh by a+b
        large "private 2\n"
        link "t\n"
        run.sh "1\n2\n3\n4\n5\n6\nseven\n"
        target "t\n"
    "#]]);
    let root = copies.fixture.root();
    assert!(
        fs::symlink_metadata(root.join("link"))
            .unwrap()
            .is_symlink()
    );
    let mode = fs::metadata(root.join("run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111);
}

#[test]
fn a_copy_has_the_files_of_its_moment() {
    let fixture = Fixture::new(&[
        (".gitignore", "out\n"),
        ("a", "1\n"),
        ("out/x", "x\n"),
        ("p", "private\n"),
    ]);
    let base = fixture.take();
    fixture.put("a", "changed since\n");
    let folder = fixture.root().join(".attractor/runs/r/branches/a");
    fs::create_dir_all(&folder).unwrap();
    fixture
        .store
        .check_out(&base.id, fixture.root(), &folder)
        .unwrap();
    assert_eq!(
        files(&folder),
        "a \"1\\n\"\np \"private\\n\"\n"
            .to_owned()
            .replacen("a ", ".gitignore \"out\\n\"\na ", 1)
    );
    // Writing in place does not reach the workspace.
    put(&folder, "p", "private 2\n");
    assert_eq!(fixture.read("p").unwrap(), "private\n");
}
