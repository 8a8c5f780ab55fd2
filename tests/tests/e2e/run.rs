//! `attractor run`: its forms, its exit codes, dry runs, inputs.

use attractor_tests::{ProcessOutput, Project};
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
fn steady(output: &ProcessOutput) -> Value {
    let mut report = output.json();
    for key in ["run", "duration_ms"] {
        report[key] = json!("…");
    }
    report
}

fn path_of(output: &ProcessOutput) -> String {
    let report = output.json();
    let nodes = report["path"].as_array().expect("a path").iter();
    nodes
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn human_output_has_a_line_per_node() {
    let output = Project::with("two.dot", TWO)
        .run(["run", "two.dot"])
        .expect_code(0);
    let steady = output.stdout.replace(|c: char| c.is_ascii_digit(), "0");
    for part in [
        "two\nSay it twice\nModels are simulated; everything else is real.",
        "✓ first ",
        "✓ second ",
        "✓ two success · simulated · 0 steps in ",
    ] {
        assert!(steady.contains(part), "{part:?} is missing:\n{output}");
    }
    assert_eq!(output.stderr, "");
}

#[test]
fn json_is_stable() {
    let output = Project::with("two.dot", TWO)
        .run(["run", "two.dot", "--format", "json"])
        .expect_code(0);
    let mut report = steady(&output);
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
          "reality": "simulated",
          "simulated": true
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&report).expect("JSON"));
}

#[test]
fn events_equal_the_journal() {
    let project = Project::with("two.dot", TWO);
    let output = project
        .run(["run", "two.dot", "--format", "events"])
        .expect_code(0);
    let events = output.json_lines();
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
fn inputs_are_parsed() {
    let project = Project::with(
        "gate.dot",
        "digraph gate { vars=\"deploy=false, score=8\"; start [shape=Mdiamond]; a [command=\"echo {code}\"]; fin [shape=Msquare]
           b [command=\"echo b\"]; start -> a; b -> fin
           a -> b [condition=\"deploy and score >= 7 and score == 8\"]; a -> fin [condition=\"not deploy\"]
           a -> start [condition=\"deploy and score != 8\", max_visits=1] }",
    );
    let path = |arguments: &[&str]| {
        let output = project.run([&["run", "gate.dot", "--format", "json"], arguments].concat());
        path_of(&output.expect_code(0))
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
        let output = project.run([&["run", "gate.dot", "--format", "json"], arguments].concat());
        output.json()["context"].clone()
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
fn run_without_exit_node_fails() {
    let output = Project::with(
        "typo.dot",
        "digraph { start [shape=Mdiamond]; fin [shape=Msquare]; a [command=\"true\"]; start -> a; a -> fin [condition=\"outcome=succes\"] }",
    )
    .run(["run", "typo.dot", "--format", "json"])
    .expect_code(1);
    let report = output.json();
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
fn dry_run_has_no_side_effects() {
    let project = Project::with("again.dot", LOOP);
    let output = project
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
    assert_eq!(path_of(&output), "start test fix test done");
    assert_eq!(output.json()["simulated"], true);
    assert!(
        !project.file(".attractor").exists(),
        "a dry run writes nothing"
    );
}

#[test]
fn loops_are_bounded() {
    let output = Project::with("again.dot", LOOP)
        .run(["run", "again.dot", "--format", "json"])
        .expect_code(1);
    let report = output.json();
    assert_eq!(report["status"], "fail");
    assert_eq!(path_of(&output), "start test fix test fix test fix test");
    let output = Project::with("again.dot", LOOP).run([
        "run",
        "again.dot",
        "--max-steps",
        "4",
        "--format",
        "json",
    ]);
    assert_eq!(
        output.expect_code(1).json()["failure"]["class"],
        "budget_exhausted"
    );
}

#[test]
fn from_starts_at_another_node() {
    let project = Project::with("two.dot", TWO);
    let output = project
        .run(["run", "two.dot", "--from", "second", "--format", "json"])
        .expect_code(0);
    assert_eq!(path_of(&output), "second done");
    let output = project
        .run(["run", "two.dot", "--from", "third"])
        .expect_code(2);
    expect![[r#"
        error: pipeline `two` has no node `third`
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn pipeline_with_errors_is_refused() {
    let text =
        "digraph g { start [shape=Mdiamond]; a [type=tol, command=\"touch ran\"]; start -> a }";
    let project = Project::with("g.dot", text);
    let output = project.run(["run", "g.dot"]).expect_code(1);
    assert!(output.stderr.contains("error[unknown_handler]"), "{output}");
    assert!(!project.file("ran").exists() && !project.file(".attractor").exists());
}

#[test]
fn file_without_pipeline_is_reported() {
    let output = Project::with("plain.dot", "digraph { a -> b }")
        .run(["run", "plain.dot"])
        .expect_code(1);
    expect![[r#"
        error[start_node]: no start node: expected a node with `start=true`, shape `Mdiamond` or the name `start`
         --> plain.dot:1:1
          |
        1 | digraph { a -> b }
          | ^^^^^^^
          |
        help: Start at `a`
          |
        1 ~ digraph { a -> b 
        2 + a [start=true]
          |

        plain.dot: 1 error
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn pipeline_is_chosen_by_name() {
    let text = format!("{TWO}{LOOP}");
    let project = Project::with("both.dot", text);
    let output = project
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
    assert_eq!(output.json()["pipeline"], "again");
    let output = project
        .run(["run", "both.dot", "--graph", "gone"])
        .expect_code(2);
    expect![[r#"
        error: both.dot has no pipeline `gone`; available: two, again
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn run_reads_standard_input() {
    let project = Project::new();
    let output = project
        .run_with_input(["run", "-", "--format", "json"], TWO)
        .expect_code(0);
    assert_eq!(output.json()["status"], "success");
}

#[test]
fn invalid_options_are_usage_errors() {
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
