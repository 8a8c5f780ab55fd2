//! `attractor run`: its forms, its exit codes, dry runs, inputs.

use attractor_tests::{Ended, Project};
use expect_test::expect;
use serde_json::{Value, json};

const TWO: &str = "digraph two {
  goal = \"Say it twice\"
  start [shape=Mdiamond]
  first [shape=parallelogram, command=\"echo {word:-one}\"]
  second [prompt=\"Say it again: $goal\"]
  done [shape=Msquare]
  start -> first -> second -> done
}
";

const LOOP: &str = "digraph again {
  start [shape=Mdiamond]
  test [shape=parallelogram, command=\"false\"]
  fix [prompt=\"Fix it\", max_visits=3]
  done [shape=Msquare]
  start -> test
  test -> done [condition=\"outcome=success\"]
  test -> fix  [condition=\"outcome=fail\"]
  fix -> test
}
";

/// A report without what differs from run to run.
fn steady(ended: &Ended) -> Value {
    let mut report = ended.json();
    for key in ["run", "duration_ms"] {
        report[key] = json!("…");
    }
    report
}

fn path_of(ended: &Ended) -> String {
    let report = ended.json();
    let nodes = report["path"].as_array().expect("a path").iter();
    nodes
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn people_see_a_line_per_node() {
    let ended = Project::with("two.dot", TWO)
        .run(["run", "two.dot"])
        .expect_code(0);
    let steady = ended.stdout.replace(|c: char| c.is_ascii_digit(), "0");
    for part in [
        "two\nSay it twice\nModels are simulated; everything else is real.",
        "✓ first ",
        "✓ second ",
        "✓ two success · 0 steps in ",
    ] {
        assert!(steady.contains(part), "{part:?} is missing:\n{ended}");
    }
    assert_eq!(ended.stderr, "");
}

#[test]
fn json_is_a_contract() {
    let ended = Project::with("two.dot", TWO)
        .run(["run", "two.dot", "--format", "json"])
        .expect_code(0);
    let mut report = steady(&ended);
    let context = report["context"].take();
    assert_eq!(context["output.first"], "one\n");
    assert_eq!(context["outcome"], "success");
    expect![[r#"
        {
          "run": "…",
          "pipeline": "two",
          "status": "success",
          "steps": 4,
          "path": [
            "start",
            "first",
            "second",
            "done"
          ],
          "completed_nodes": [
            "start",
            "first",
            "second",
            "done"
          ],
          "context": null,
          "duration_ms": "…",
          "usage": {
            "input_tokens": 0,
            "output_tokens": 0,
            "cost": 0.0
          },
          "simulated": true
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&report).expect("JSON"));
}

#[test]
fn events_are_numbered_without_holes_and_equal_the_journal() {
    let project = Project::with("two.dot", TWO);
    let ended = project
        .run(["run", "two.dot", "--format", "events"])
        .expect_code(0);
    let events = ended.json_lines();
    let numbers: Vec<u64> = events
        .iter()
        .filter_map(|event| event["seq"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    let types: Vec<&str> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(types.first(), Some(&"pipeline_started"));
    assert_eq!(types.last(), Some(&"pipeline_completed"));
    let run = events[0]["run"].as_str().expect("a run");
    let stored = project
        .run(["runs", "events", run])
        .expect_code(0)
        .json_lines();
    assert_eq!(stored, events);
}

#[test]
fn inputs_are_read_as_what_they_name() {
    let project = Project::with(
        "gate.dot",
        "digraph gate { vars=\"deploy=false, score=8\"; start [shape=Mdiamond]; a [command=\"echo {code}\"]; fin [shape=Msquare]
           b [command=\"echo b\"]; start -> a; b -> fin
           a -> b [condition=\"deploy and score >= 7 and score == 8\"]; a -> fin [condition=\"not deploy\"]
           a -> start [condition=\"deploy and score != 8\", max_visits=1] }",
    );
    let path = |arguments: &[&str]| {
        let ended = project.run([&["run", "gate.dot", "--format", "json"], arguments].concat());
        path_of(&ended.expect_code(0))
    };
    assert_eq!(path(&[]), "start a fin");
    assert_eq!(path(&["--input", "deploy=yes"]), "start a b fin");
    for no in [
        "deploy=false",
        "deploy=0",
        "deploy=no",
        "deploy=No",
        "deploy=",
    ] {
        assert_eq!(path(&["--input", no]), "start a fin", "{no}");
        assert_eq!(path(&["--input-text", no]), "start a fin", "{no}");
    }
    let context = |arguments: &[&str]| {
        let ended = project.run([&["run", "gate.dot", "--format", "json"], arguments].concat());
        ended.json()["context"].clone()
    };
    let typed = context(&["--input", "code=7", "--input", "list=[1, \"a\"]"]);
    assert_eq!(
        (&typed["code"], &typed["list"]),
        (&json!(7), &json!([1, "a"]))
    );
    assert_eq!(context(&["--input", "code=007"])["code"], "007");
    assert_eq!(context(&["--input-text", "code=7"])["code"], "7");
}

#[test]
fn a_run_without_an_end_is_no_success() {
    let ended = Project::with(
        "typo.dot",
        "digraph { start [shape=Mdiamond]; fin [shape=Msquare]; a [command=\"true\"]; start -> a; a -> fin [condition=\"outcome=succes\"] }",
    )
    .run(["run", "typo.dot", "--format", "json"])
    .expect_code(1);
    let report = ended.json();
    assert_eq!(
        (&report["status"], &report["failure"]["class"]),
        (&json!("fail"), &json!("no_route"))
    );
    let reason = report["failure"]["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("`outcome=succes` to `fin` is false (outcome is \"success\")"),
        "{reason}"
    );
}

#[test]
fn inputs_reach_the_context() {
    let project = Project::with("two.dot", TWO);
    project.write("inputs.toml", "word = \"from the file\"\nnumber = 3\n");
    let of = |arguments: &[&str]| {
        let all = ["run", "two.dot", "--format", "json"]
            .iter()
            .chain(arguments);
        project.run(all).expect_code(0).json()["context"]["output.first"].clone()
    };
    assert_eq!(of(&["--inputs", "inputs.toml"]), "from the file\n");
    assert_eq!(
        of(&["--inputs", "inputs.toml", "--input", "word=a b; c"]),
        "a b; c\n"
    );
    assert_eq!(of(&["--set", "word=set"]), "set\n");
}

#[test]
fn a_dry_run_walks_and_does_nothing() {
    let project = Project::with("again.dot", LOOP);
    let ended = project
        .run([
            "run",
            "again.dot",
            "--dry-run",
            "--outcome",
            "test=fail,success",
            "--format",
            "json",
        ])
        .expect_code(0);
    assert_eq!(path_of(&ended), "start test fix test done");
    assert_eq!(ended.json()["simulated"], true);
    assert!(
        !project.file(".attractor").exists(),
        "a dry run writes nothing"
    );
}

#[test]
fn a_loop_is_bounded() {
    let ended = Project::with("again.dot", LOOP)
        .run(["run", "again.dot", "--format", "json"])
        .expect_code(1);
    let report = ended.json();
    assert_eq!(report["status"], "fail");
    assert_eq!(path_of(&ended), "start test fix test fix test fix test");
    let ended = Project::with("again.dot", LOOP).run([
        "run",
        "again.dot",
        "--max-steps",
        "4",
        "--format",
        "json",
    ]);
    assert_eq!(
        ended.expect_code(1).json()["failure"]["class"],
        "budget_exhausted"
    );
}

#[test]
fn a_run_can_begin_elsewhere() {
    let project = Project::with("two.dot", TWO);
    let ended = project
        .run(["run", "two.dot", "--from", "second", "--format", "json"])
        .expect_code(0);
    assert_eq!(path_of(&ended), "second done");
    let ended = project
        .run(["run", "two.dot", "--from", "third"])
        .expect_code(2);
    expect![[r#"
        error: `third` is no node of pipeline `two`
    "#]]
    .assert_eq(&ended.stderr);
}

#[test]
fn a_pipeline_with_errors_does_not_start() {
    let text =
        "digraph g { start [shape=Mdiamond]; a [type=tol, command=\"touch ran\"]; start -> a }";
    let project = Project::with("g.dot", text);
    let ended = project.run(["run", "g.dot"]).expect_code(1);
    assert!(ended.stderr.contains("error[unknown_handler]"), "{ended}");
    assert!(!project.file("ran").exists() && !project.file(".attractor").exists());
}

#[test]
fn a_file_without_a_pipeline_says_so() {
    let ended = Project::with("plain.dot", "digraph { a -> b }")
        .run(["run", "plain.dot"])
        .expect_code(1);
    expect![[r#"
        error: no pipeline in plain.dot; a pipeline is a digraph with a start node or a `goal`
    "#]]
    .assert_eq(&ended.stderr);
}

#[test]
fn one_of_several_pipelines_is_chosen_by_name() {
    let text = format!("{TWO}{LOOP}");
    let project = Project::with("both.dot", text);
    let ended = project
        .run([
            "run",
            "both.dot",
            "--graph",
            "again",
            "--dry-run",
            "--format",
            "json",
        ])
        .expect_code(0);
    assert_eq!(ended.json()["pipeline"], "again");
    let ended = project
        .run(["run", "both.dot", "--graph", "gone"])
        .expect_code(2);
    expect![[r#"
        error: both.dot has no pipeline `gone`; available: two, again
    "#]]
    .assert_eq(&ended.stderr);
}

#[test]
fn standard_input_can_be_run() {
    let project = Project::new();
    let ended = project
        .run_with_input(["run", "-", "--format", "json"], TWO)
        .expect_code(0);
    assert_eq!(ended.json()["status"], "success");
}

#[test]
fn options_that_make_no_sense_are_a_mistake_of_usage() {
    let project = Project::with("two.dot", TWO);
    project.run(["run"]).expect_code(2);
    project
        .run(["run", "two.dot", "--input", "novalue"])
        .expect_code(2);
    project
        .run(["run", "two.dot", "--outcome", "first=fail"])
        .expect_code(2);
    project
        .run(["run", "two.dot", "--format", "yaml"])
        .expect_code(2);
}
