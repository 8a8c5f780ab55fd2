//! `isolation=worktree`: parallel branches in folders of their own, merged where they meet.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use attractor_tests::{ProcessOutput, Project};
use expect_test::expect;
use serde_json::Value;

/// Two branches, each a command, and what follows their fan-in.
fn pipeline(attributes: &str, left: &str, right: &str, rest: &str) -> String {
    format!(
        r#"digraph both {{
  start [shape=Mdiamond]
  done  [shape=Msquare]
  fork  [shape=component, isolation=worktree{attributes}]
  left  [shape=parallelogram, command="{left}"]
  right [shape=parallelogram, command="{right}"]
  join  [shape=tripleoctagon]
  start -> fork -> {{left right}} -> join
  {rest}
}}"#
    )
}

const TO_DONE: &str = "join -> done";

fn project(dot: &str) -> Project {
    let project = Project::with("both.dot", dot);
    project.write("shared.txt", "1\n2\n3\n4\n5\n6\n7\n");
    project.write("left.txt", "left\n");
    project.write(".gitignore", "ignored\n");
    project.write("ignored/build.o", "object");
    project
}

fn git(project: &Project, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(project.path())
        .env("HOME", project.path())
        .output()
        .expect("git");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn run(project: &Project) -> ProcessOutput {
    project.run(["run", "both.dot", "--format", "json"])
}

fn events(project: &Project) -> Vec<Value> {
    let text = crate::crash::journal(project).expect("a journal");
    let lines = text.lines().map(serde_json::from_str);
    lines.map(|event| event.expect("JSON")).collect()
}

fn of_type<'e>(events: &'e [Value], wanted: &str) -> Vec<&'e Value> {
    events
        .iter()
        .filter(|event| event["type"] == wanted)
        .collect()
}

/// The folders of branches that are there.
fn folders(project: &Project) -> Vec<String> {
    let runs = fs::read_dir(project.file(".attractor/runs")).expect("runs");
    let below = |path: PathBuf| {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let branches = runs.flatten().map(|run| run.path().join("branches"));
    let folders = branches.flat_map(below).flat_map(below);
    let names = folders.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn changes_of_different_files_are_merged() {
    let left = "sed -i s/1/one/ shared.txt; rm left.txt; test ! -e right.txt";
    let right =
        "sed -i s/7/seven/ shared.txt; mkdir new; echo right > new/right.txt; test ! -e ignored";
    let project = project(&pipeline("", left, right, TO_DONE));
    let text = project.run(["run", "both.dot"]).expect_code(0);
    let shown = format!("{}{}", text.stdout, text.stderr);
    assert!(
        shown.contains("branch left works in branches/fork-"),
        "{shown}"
    );
    assert!(shown.contains("merged 3 files of its branches"), "{shown}");
    assert_eq!(project.read("shared.txt"), "one\n2\n3\n4\n5\n6\nseven\n");
    assert_eq!(project.read("new/right.txt"), "right\n");
    assert!(!project.file("left.txt").exists());
    assert_eq!(project.read("ignored/build.o"), "object");
    let events = events(&project);
    let merged = of_type(&events, "files_merged");
    assert_eq!(merged.len(), 1);
    assert_eq!(merged[0]["node"], "join");
    expect![[r#"[{"path":"left.txt","change":"deleted","branches":["left"]},{"path":"new/right.txt","change":"added","branches":["right"]},{"path":"shared.txt","change":"modified","branches":["left","right"]}]"#]]
        .assert_eq(&merged[0]["files"].to_string());
    assert_eq!(folders(&project), [""; 0]);
    // Each branch, the merge and the run show what they changed.
    let stat = |node: &[&str]| {
        let arguments = ["runs", "diff", "--stat"].iter().chain(node);
        project.run(arguments).expect_code(0).stdout
    };
    expect![[r"
        D left.txt +0 -1
        M shared.txt +1 -1
        2 files changed, +1 -2
    "]]
    .assert_eq(&stat(&["left"]));
    let whole = expect![[r"
        D left.txt +0 -1
        A new/right.txt +1 -0
        M shared.txt +2 -2
        3 files changed, +3 -3
    "]];
    whole.assert_eq(&stat(&["join"]));
    whole.assert_eq(&stat(&[]));
}

#[test]
fn conflict_fails_the_fan_in_and_writes_nothing() {
    let left = "echo left > shared.txt; echo l > only-left.txt";
    let right = "echo right > shared.txt";
    let project = project(&pipeline("", left, right, TO_DONE));
    let report = run(&project).expect_code(1).json();
    assert_eq!(report["failure"]["node"], "join");
    assert_eq!(report["failure"]["class"], "conflict");
    let reason = report["failure"]["reason"].as_str().unwrap_or_default();
    let begin = "nothing was merged, because branches conflict: `left` and `right` changed the same lines of `shared.txt` (branches/fork-";
    assert!(reason.starts_with(begin), "{reason}");
    assert_eq!(project.read("shared.txt"), "1\n2\n3\n4\n5\n6\n7\n");
    assert!(!project.file("only-left.txt").exists());
    assert_eq!(folders(&project), ["left", "right"]);
    // The versions are made equal, and the run continues.
    let events = events(&project);
    let started = of_type(&events, "parallel_branch_started");
    let run = crate::crash::only_run(&project);
    for event in started {
        let folder = event["worktree"].as_str().expect("a folder");
        let path = format!(".attractor/runs/{run}/{folder}/shared.txt");
        assert!(project.file(&path).exists(), "{path}");
        project.write(&path, "both\n");
    }
    project.run(["resume"]).expect_code(0);
    assert_eq!(project.read("shared.txt"), "both\n");
    assert_eq!(project.read("only-left.txt"), "l\n");
    assert_eq!(folders(&project), [""; 0]);
}

#[test]
fn conflict_can_be_routed() {
    let rest = "join -> done [condition=\"outcome=success\"]; join -> ask [condition=\"failure_class=conflict\"]; \
                ask [shape=hexagon, prompt=\"Who is right?\"]; ask -> done [label=\"[N] Neither\"]";
    let dot = pipeline("", "echo left > shared.txt", "rm shared.txt", rest);
    let project = project(&dot);
    let answered = ["run", "both.dot", "--answer", "ask=N"];
    project.run(answered).expect_code(0);
    let events = events(&project);
    let merged = of_type(&events, "files_merged");
    assert_eq!(merged[0]["conflicts"][0]["reason"], "deleted_and_changed");
    assert_eq!(project.read("shared.txt"), "1\n2\n3\n4\n5\n6\n7\n");
}

#[test]
fn changes_of_failed_branches_are_not_merged() {
    let left = "echo bad > shared.txt; exit 3";
    let project = project(&pipeline("", left, "echo good > new.txt", TO_DONE));
    run(&project).expect_code(0);
    assert_eq!(project.read("shared.txt"), "1\n2\n3\n4\n5\n6\n7\n");
    assert_eq!(project.read("new.txt"), "good\n");
    assert_eq!(folders(&project), ["left"]);
    let diff = project.run(["runs", "diff", "left"]).expect_code(0);
    assert!(diff.stdout.contains("+bad"), "{diff}");
    project
        .run(["runs", "prune", "--keep", "0", "--yes"])
        .expect_code(0);
    assert!(
        fs::read_dir(project.file(".attractor/runs"))
            .expect("runs")
            .all(|run| { !run.expect("an entry").path().is_dir() })
    );
}

#[test]
fn git_works_in_a_branch() {
    let left = "git status --porcelain > ../left.status; echo l >> left.txt; git diff --stat >> ../left.status; \
                git add -A && git commit -qm left && git stash list >> ../left.status";
    let project = project(&pipeline(
        "",
        left,
        "git rev-parse --abbrev-ref HEAD > ../right.status",
        TO_DONE,
    ));
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["config", "user.name", "t"]);
    git(&project, &["config", "user.email", "t@example.org"]);
    project.write(
        ".git/hooks/post-checkout",
        "#!/bin/sh\ntouch hook-was-run\n",
    );
    // The home folder of these tests is in the project.
    project.write(".git/info/exclude", ".local/\n");
    git(&project, &["add", "shared.txt", "left.txt", ".gitignore"]);
    git(&project, &["commit", "-qm", "first"]);
    // Staged, changed and untracked.
    project.write("staged.txt", "staged\n");
    git(&project, &["add", "staged.txt"]);
    project.write("shared.txt", "changed\n");
    let before = ["rev-parse", "HEAD"];
    let head = git(&project, &before);
    let status = git(&project, &["status", "--porcelain"]);
    run(&project).expect_code(0);
    assert_eq!(git(&project, &before), head);
    assert_eq!(git(&project, &["branch", "--list"]).trim(), "* main");
    let after = git(&project, &["status", "--porcelain"]);
    assert_eq!(after, format!(" M left.txt\n{status}"));
    assert_eq!(git(&project, &["worktree", "list"]).lines().count(), 1);
    assert!(!project.file("hook-was-run").exists());
    let run = crate::crash::only_run(&project);
    let events = events(&project);
    let folder = of_type(&events, "parallel_branch_started")[0]["worktree"].clone();
    let folder = folder
        .as_str()
        .expect("a folder")
        .rsplit_once('/')
        .expect("a path")
        .0
        .to_owned();
    let read = |name: &str| project.read(&format!(".attractor/runs/{run}/{folder}/{name}"));
    let seen = read("left.status");
    let (porcelain, diff) = seen.split_at(status.len());
    assert_eq!(porcelain, status);
    assert!(diff.contains("left.txt"), "{diff}");
    assert_eq!(read("right.status"), "HEAD\n");
}

#[test]
fn killed_run_is_resumed_and_merged_once() {
    let left = "echo left >> log.txt; echo left > left.txt";
    let right = "echo right > right.txt; while test ! -e ../../../../../../go; do sleep 0.01; done";
    let project = project(&pipeline("", left, right, TO_DONE));
    let started = project.start(["run", "both.dot"]);
    let completed = || {
        let journal = crate::crash::journal(&project)?;
        let is_left = |line: &&str| line.contains("stage_completed") && line.contains("\"left\"");
        journal.lines().find(is_left).map(|_| ())
    };
    project.eventually("the left branch is done", completed);
    started.signal("KILL");
    drop(started);
    assert!(!project.file("log.txt").exists());
    project.write("go", "");
    project.run(["resume"]).expect_code(0);
    assert_eq!(project.read("log.txt"), "left\n");
    assert_eq!(project.read("left.txt"), "left\n");
    assert_eq!(project.read("right.txt"), "right\n");
    assert_eq!(folders(&project), [""; 0]);
    let events = events(&project);
    let completed = of_type(&events, "stage_completed");
    let left = completed.iter().filter(|event| event["node"] == "left");
    assert_eq!(left.count(), 1);
    assert_eq!(of_type(&events, "files_merged").len(), 1);
}

#[test]
fn sub_pipeline_and_parallel_node_in_a_branch() {
    let dot = r#"digraph outer {
  start [shape=Mdiamond]; done [shape=Msquare]
  fork  [shape=component, isolation=worktree]
  call  [shape=folder, sub_pipeline=inner]
  other [shape=parallelogram, command="echo other > other.txt; test ! -e a.txt"]
  join  [shape=tripleoctagon]
  start -> fork -> {call other} -> join -> done
}
digraph inner {
  start [shape=Mdiamond]; done [shape=Msquare]
  first [shape=parallelogram, command="echo first > first.txt"]
  fork  [shape=component, isolation=worktree]
  a     [shape=parallelogram, command="cat first.txt > a.txt; test ! -e b.txt"]
  b     [shape=parallelogram, command="cat first.txt > b.txt"]
  join  [shape=tripleoctagon]
  check [shape=parallelogram, command="cat a.txt b.txt"]
  start -> first -> fork -> {a b} -> join -> check -> done
}"#;
    let project = Project::with("both.dot", dot);
    run(&project).expect_code(0);
    for name in ["a.txt", "b.txt", "first.txt"] {
        assert_eq!(project.read(name), "first\n", "{name}");
    }
    assert_eq!(project.read("other.txt"), "other\n");
    assert_eq!(folders(&project), [""; 0]);
}

#[test]
fn run_killed_at_any_event_ends_like_an_uninterrupted_one() {
    let left = "echo left > left.txt; sed -i s/1/one/ shared.txt";
    let right = "mkdir -p new; echo right > new/right.txt; sed -i s/7/seven/ shared.txt";
    let dot = pipeline(", max_parallel=1", left, right, TO_DONE);
    let whole = project(&dot);
    run(&whole).expect_code(0);
    let all = events(&whole);
    let place = all.iter().position(|event| event["type"] == "files_merged");
    let place = place.expect("a merge");
    // The merge is between two events.
    let moments = (3..all.len()).step_by(5).chain(place - 2..place + 3);
    for moment in moments {
        let project = project(&dot);
        let started = project.start(["run", "both.dot"]);
        let is_there =
            || crate::crash::journal(&project).is_some_and(|text| text.lines().count() >= moment);
        project.eventually("the run is that far", || is_there().then_some(()));
        started.signal("KILL");
        drop(started);
        let ended = project.run(["resume"]);
        // It may have been over.
        assert!(
            ended.code == Some(0) || ended.stderr.contains("no resumable run"),
            "{moment}: {ended}"
        );
        for path in ["shared.txt", "left.txt", "new/right.txt"] {
            assert_eq!(
                project.read(path),
                whole.read(path),
                "{moment}: {path}: {ended}"
            );
        }
        assert_eq!(folders(&project), [""; 0], "{moment}");
        let found = events(&project);
        let merges = of_type(&found, "files_merged");
        assert_eq!(merges.len(), 1, "{moment}");
        assert_eq!(
            merges[0]["files"],
            of_type(&events(&whole), "files_merged")[0]["files"]
        );
    }
}

#[test]
fn project_may_be_a_folder_of_its_repository() {
    let outer = Project::new();
    let left =
        "git status --porcelain -- .. > ../../status; echo l > left.txt; test ! -e ../other.txt";
    outer.write(
        "part/both.dot",
        pipeline("", left, "test -e left.txt", TO_DONE),
    );
    outer.write("part/.attractor/config.toml", "");
    outer.write("part/left.txt", "left\n");
    outer.write("other.txt", "other\n");
    git(&outer, &["init", "-q", "-b", "main"]);
    git(&outer, &["add", "-A"]);
    git(&outer, &["commit", "-qm", "first"]);
    let mut command = outer.command(["run", "both.dot"]);
    let output = command
        .current_dir(outer.file("part"))
        .output()
        .expect("the program");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(outer.read("part/left.txt"), "l\n");
    let found = Command::new("find")
        .arg(outer.file("part/.attractor/runs"))
        .args(["-name", "status"])
        .output();
    let found = String::from_utf8_lossy(&found.expect("find").stdout)
        .trim()
        .to_owned();
    assert_eq!(
        fs::read_to_string(&found).expect("the status"),
        "",
        "{found}"
    );
    assert_eq!(git(&outer, &["worktree", "list"]).lines().count(), 1);
}
