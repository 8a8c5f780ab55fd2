//! `attractor fork`: a new run from the beginning of a visit of another one.

use attractor_tests::Project;
use expect_test::expect;
use serde_json::Value;

/// `write` adds a line, `check` wants the word; the gate makes the run record files.
const WORK: &str = r#"digraph work {
  start [shape=Mdiamond]
  first [shape=parallelogram, command="echo first >> log.txt; echo one"]
  write [shape=parallelogram, command="echo {word:-nothing} >> log.txt"]
  ask [shape=hexagon, prompt="Good?"]
  check [shape=parallelogram, command="grep -q good log.txt"]
  done [shape=Msquare]
  start -> first -> write -> ask
  ask -> check [label="[Y] Yes"]
  check -> done
}"#;

const FORK: [&str; 5] = ["fork", "--format", "json", "--answer", "ask=yes"];

fn failed() -> Project {
    let project = Project::with("work.dot", WORK);
    let run = ["run", "work.dot", "--answer", "ask=yes"];
    project.run(run).expect_code(1);
    assert_eq!(project.read("log.txt"), "first\nnothing\n");
    project
}

fn path(report: &Value) -> String {
    let nodes = report["path"].as_array().into_iter().flatten();
    let nodes: Vec<&str> = nodes.filter_map(Value::as_str).collect();
    nodes.join(" ")
}

fn runs(project: &Project) -> Vec<Value> {
    let runs = project.run(["runs", "--format", "json"]).json();
    runs["runs"].as_array().cloned().unwrap_or_default()
}

#[test]
fn new_run_has_the_files_and_the_context_of_that_moment() {
    let project = failed();
    let old = runs(&project)[0]["run"].clone();
    let refused = project.run(FORK.iter().chain(&["write"])).expect_code(1);
    let error = refused.stderr.lines().last().unwrap_or_default();
    expect!["error: files are not as they were when `write@1` began: log.txt; pass --restore-files to give them that content (the present one is stored), --keep-files to use them as they are, or --into FOLDER to run in a new folder"]
        .assert_eq(error);
    assert_eq!(project.read("log.txt"), "first\nnothing\n");

    let forked = ["--restore-files", "--set", "word=good", "write"];
    let report = project
        .run(FORK.iter().chain(&forked))
        .expect_code(0)
        .json();
    assert_eq!(path(&report), "start first write ask check done");
    assert_eq!(report["context"]["word"], "good");
    assert_eq!(report["context"]["internal.run_id"], report["run"]);
    assert_eq!(project.read("log.txt"), "first\ngood\n");
    let all = runs(&project);
    assert_eq!(all.len(), 2);
    assert_eq!((&all[0]["run"], &all[1]["run"]), (&report["run"], &old));
    assert_eq!(all[1]["state"], "fail", "the other run stays as it is");

    // Nothing is lost: what was there before the fork comes back.
    let run = report["run"].as_str().unwrap_or_default();
    project.run(["runs", "revert", run]).expect_code(0);
    assert_eq!(project.read("log.txt"), "first\nnothing\n");
}

#[test]
fn new_folder_has_the_files_of_that_moment() {
    let project = failed();
    let forked = ["--into", "again", "--set", "word=good", "write"];
    let report = project
        .run(FORK.iter().chain(&forked))
        .expect_code(0)
        .json();
    assert_eq!(report["status"], "success");
    assert_eq!(project.read("again/log.txt"), "first\ngood\n");
    assert_eq!(project.read("log.txt"), "first\nnothing\n");
    let twice = project.run(FORK.iter().chain(&forked)).expect_code(1);
    assert!(twice.stderr.contains("is not empty"), "{twice}");
}

#[test]
fn forked_run_can_be_resumed_and_forked_again() {
    let project = failed();
    let kept = ["--keep-files", "check"];
    let report = project.run(FORK.iter().chain(&kept)).expect_code(1).json();
    assert_eq!(report["failure"]["node"], "check");
    project.write("log.txt", "good\n");
    project
        .run(["resume", "--answer", "ask=yes"])
        .expect_code(0);
    let again = project.run(FORK.iter().chain(&["--keep-files", "ask"]));
    assert_eq!(again.expect_code(0).json()["status"], "success");
}

#[test]
fn question_is_asked_again_in_the_new_run() {
    let project = Project::with("work.dot", WORK);
    project.run(["run", "work.dot"]).expect_code(4);
    project.write("log.txt", "first\nnothing\ngood\n");
    let events = [
        "fork",
        "--keep-files",
        "--format",
        "events",
        "--answer",
        "ask=yes",
        "ask",
    ];
    let events = project.run(events).expect_code(0).json_lines();
    let kinds = events.iter().filter_map(|event| event["type"].as_str());
    let kinds: Vec<&str> = kinds
        .skip_while(|kind| *kind != "pipeline_forked")
        .collect();
    assert_eq!(
        kinds[..2],
        ["pipeline_forked", "stage_started"],
        "{kinds:?}"
    );
    assert!(kinds.contains(&"interview_completed"), "{kinds:?}");
}

#[test]
fn visit_that_never_was_is_refused() {
    let dot = r#"digraph p {
      s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component]; j [shape=tripleoctagon]
      a [command=true]; b [command=true]
      s -> f; f -> a -> j; f -> b -> j; j -> e
    }"#;
    let project = Project::with("p.dot", dot);
    project.run(["run", "p.dot"]).expect_code(0);
    let refused = |node: &str| project.run(["fork", node]).expect_code(2).stderr;
    expect![[r#"
        error: cannot fork at `a`: it ran in the parallel branch `a`, next to others; fork at `f@1`, which started them
    "#]]
    .assert_eq(&refused("a"));
    let unknown = refused("s@2");
    assert!(
        unknown.contains("has not visited `s@2`; it visited `s@1`, `f@1`"),
        "{unknown}"
    );
    assert!(refused("nowhere").contains("has not visited `nowhere`"));
    let report = project
        .run(["fork", "f", "--format", "json"])
        .expect_code(0)
        .json();
    let path = path(&report);
    let branches = path
        .strip_prefix("s ")
        .and_then(|path| path.strip_suffix(" f j e"));
    assert!(matches!(branches, Some("a b" | "b a")), "{path}");
}

#[test]
fn nodes_of_a_sub_pipeline_can_be_forked() {
    let dot = r#"digraph outer {
      s [shape=Mdiamond]; e [shape=Msquare]
      call [shape=folder, sub_pipeline=inner, timeout=10m]
      last [shape=parallelogram, command="echo last >> log.txt"]
      s -> call -> last -> e
    }
    digraph inner {
      s [shape=Mdiamond]; e [shape=Msquare]
      one [shape=parallelogram, command="echo one >> log.txt"]
      two [shape=parallelogram, command="echo {word:-two} >> log.txt"]
      ask [shape=hexagon, prompt="Good?"]
      s -> one -> two -> ask
      ask -> e [label="[Y] Yes"]
    }"#;
    let project = Project::with("p.dot", dot);
    let run = ["run", "p.dot", "--answer", "ask=yes"];
    project.run(run).expect_code(0);
    assert_eq!(project.read("log.txt"), "one\ntwo\nlast\n");
    for name in ["inner/two", "two"] {
        let forked = ["--restore-files", "--set", "word=again", name];
        let report = project
            .run(FORK.iter().chain(&forked))
            .expect_code(0)
            .json();
        assert_eq!(path(&report), "s s one two ask e call last e");
        assert_eq!(project.read("log.txt"), "one\nagain\nlast\n");
    }
    // The name of a node of the pipeline itself is that node.
    let started = project.run(FORK.iter().chain(&["--restore-files", "s"]));
    assert_eq!(
        path(&started.expect_code(0).json()),
        "s s one two ask e call last e"
    );
    let unknown = project.run(["fork", "inner/two@7"]).expect_code(2);
    assert!(unknown.stderr.contains("`inner/two@1`"), "{unknown}");
}

#[test]
fn fan_in_of_worktrees_can_be_forked() {
    let dot = r#"digraph p {
      s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component, isolation=worktree]; j [shape=tripleoctagon]
      a [shape=parallelogram, command="echo a > a.txt"]
      b [shape=parallelogram, command="echo b > b.txt"]
      c [shape=parallelogram, command="cat a.txt b.txt"]
      s -> f -> {a b} -> j -> c -> e
    }"#;
    let project = Project::with("p.dot", dot);
    project.run(["run", "p.dot"]).expect_code(0);
    let forked = ["fork", "--restore-files", "--format", "events", "j"];
    let events = project.run(forked).expect_code(0).json_lines();
    let merged = events
        .iter()
        .rev()
        .find(|event| event["type"] == "files_merged");
    assert_eq!(
        merged.map(|event| event["files"].to_string()).as_deref(),
        Some(
            r#"[{"path":"a.txt","change":"added","branches":["a"]},{"path":"b.txt","change":"added","branches":["b"]}]"#
        )
    );
    assert_eq!(
        (project.read("a.txt"), project.read("b.txt")),
        ("a\n".to_owned(), "b\n".to_owned())
    );
}

#[test]
fn changed_pipeline_can_be_tried_from_a_node() {
    let project = failed();
    project.write("work.dot", WORK.replace("grep -q good log.txt", "true"));
    let kept = ["--keep-files", "check"];
    let refused = project.run(FORK.iter().chain(&kept)).expect_code(1);
    assert!(refused.stderr.contains("--accept-changes"), "{refused}");
    let accepted = ["--keep-files", "--accept-changes", "check"];
    project.run(FORK.iter().chain(&accepted)).expect_code(0);
}
