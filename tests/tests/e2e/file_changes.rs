//! What a run changed in the files: shown, and undone.

use attractor_tests::Project;
use expect_test::expect;

/// `fix` changes one file, adds one and deletes one; the gate makes the run record files.
const FIX: &str = r#"digraph fix {
  start [shape=Mdiamond]
  fix [shape=parallelogram, command="printf 'one\n2\nthree\n' > a.txt; mkdir -p new; echo new > new/b.txt; rm gone.txt"]
  look [shape=parallelogram, command="cat a.txt"]
  ask [shape=hexagon, prompt="Good?"]
  done [shape=Msquare]
  start -> fix -> look -> ask
  ask -> done [label="[Y] Yes"]
}"#;

fn project() -> Project {
    let project = Project::with("fix.dot", FIX);
    project.write("a.txt", "one\ntwo\nthree\n");
    project.write("gone.txt", "gone\n");
    project
        .run(["run", "fix.dot", "--answer", "ask=yes"])
        .expect_code(0);
    project
}

#[test]
fn a_diff_shows_what_a_node_changed() {
    let project = project();
    let output = project.run(["runs", "diff", "fix"]).expect_code(0);
    expect![[r"
        diff --git a/a.txt b/a.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,3 +1,3 @@
         one
        -two
        +2
         three
        diff --git a/gone.txt b/gone.txt
        deleted file mode 100644
        --- a/gone.txt
        +++ /dev/null
        @@ -1 +0,0 @@
        -gone
        diff --git a/new/b.txt b/new/b.txt
        new file mode 100644
        --- /dev/null
        +++ b/new/b.txt
        @@ -0,0 +1 @@
        +new
    "]]
    .assert_eq(&output.stdout);
    // The whole run changed the same.
    let whole = project.run(["runs", "diff"]).expect_code(0);
    assert_eq!(whole.stdout, output.stdout);
    let stat = project.run(["runs", "diff", "fix@1", "--stat"]);
    expect![[r"
        M a.txt +1 -1
        D gone.txt +0 -1
        A new/b.txt +1 -0
        3 files changed, +2 -2
    "]]
    .assert_eq(&stat.expect_code(0).stdout);
    let json = project
        .run(["runs", "diff", "fix", "--format", "json"])
        .json();
    assert_eq!(json["files"][2]["path"], "new/b.txt");
    assert_eq!(json["files"][2]["change"], "added");
}

#[test]
fn a_node_that_changed_nothing_is_reported() {
    let project = project();
    for node in ["look", "fix@2"] {
        let output = project.run(["runs", "diff", node]);
        assert_ne!(output.code, Some(0), "{output}");
        let expected = format!("node `{node}` changed no files");
        assert!(output.stderr.contains(&expected), "{output}");
    }
    let unknown = project.run(["runs", "diff", "fux"]).expect_code(2);
    assert!(unknown.stderr.contains("did you mean `fix`?"), "{unknown}");
}

#[test]
fn a_revert_undoes_what_a_node_changed() {
    let project = project();
    project.write("mine.txt", "mine\n");
    let output = project.run(["runs", "revert", "fix"]).expect_code(0);
    expect![[r"
        restored a.txt
        restored gone.txt
        removed new/b.txt
        3 files reverted
    "]]
    .assert_eq(&output.stdout);
    assert_eq!(project.read("a.txt"), "one\ntwo\nthree\n");
    assert_eq!(project.read("gone.txt"), "gone\n");
    assert!(!project.file("new").exists());
    assert_eq!(project.read("mine.txt"), "mine\n");
    let again = project.run(["runs", "revert", "fix"]).expect_code(0);
    assert!(again.stdout.contains("nothing to revert"), "{again}");
}

#[test]
fn a_revert_is_refused_where_a_file_has_changed_since() {
    let project = project();
    project.write("a.txt", "changed by somebody else\n");
    let output = project.run(["runs", "revert", "fix"]);
    assert_ne!(output.code, Some(0), "{output}");
    assert!(
        output
            .stderr
            .contains("nothing was reverted, because these files have changed since: `a.txt`"),
        "{output}"
    );
    assert_eq!(project.read("a.txt"), "changed by somebody else\n");
    assert!(!project.file("gone.txt").exists());
}

#[test]
fn prune_removes_the_files_that_no_run_needs() {
    let project = project();
    let objects = || {
        let folder = project.file(".attractor/objects");
        let entries = std::fs::read_dir(folder).expect("the store").flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        let objects = folders.flat_map(|folder| std::fs::read_dir(folder.path()).expect("objects"));
        objects.count()
    };
    let kept = objects();
    assert!(kept > 0);
    project.run(["runs", "prune", "--yes"]).expect_code(0);
    assert_eq!(objects(), kept);
    project
        .run(["runs", "prune", "--keep", "0", "--yes"])
        .expect_code(0);
    assert_eq!(objects(), 0);
}
