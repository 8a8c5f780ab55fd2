//! What cannot run says so in the form that was asked for, and wrong usage has an exit code of its own.

use attractor_tests::Project;
use expect_test::expect;

const NEEDS: &str = r#"digraph needs {
  vars="branch, count=3, token_count"
  start [shape=Mdiamond]; work [shape=parallelogram, command="echo {branch}"]; fin [shape=Msquare]
  start -> work -> fin
}"#;

const MISTAKE: &str = r#"digraph mistake {
  start [shape=Mdiamond]; work [shape=parallelogram]; fin [shape=Msquare]
  start -> work -> fin
}"#;

const ITSELF: &str = r#"digraph itself {
  start [shape=Mdiamond]; again [shape=folder, sub_pipeline=itself]; fin [shape=Msquare]
  start -> again -> fin
}"#;

#[test]
fn a_machine_is_told_why_nothing_ran() {
    for (text, rules) in [
        (NEEDS, vec!["missing_input", "missing_input"]),
        (MISTAKE, vec!["required_attribute"]),
        (ITSELF, vec!["sub_pipeline_cycle"]),
        ("digraph {", vec!["syntax"]),
    ] {
        let project = Project::with("p.dot", text);
        for format in ["json", "events"] {
            let ended = project
                .run(["run", "p.dot", "--format", format])
                .expect_code(1);
            let report = if format == "json" {
                ended.json()
            } else {
                ended.json_lines()[0].clone()
            };
            assert_eq!(report["status"], "invalid", "{ended}");
            let found: Vec<_> = report["diagnostics"]
                .as_array()
                .expect("a list")
                .iter()
                .filter(|one| one["severity"] == "error")
                .map(|one| one["rule"].as_str().expect("a rule").to_owned())
                .collect();
            assert_eq!(found, rules, "{ended}");
            assert!(!project.file(".attractor").exists());
        }
    }
}

#[test]
fn missing_inputs_are_named_with_their_place() {
    let project = Project::with("p.dot", NEEDS);
    let ended = project
        .run(["run", "p.dot", "--format", "json", "--input", "branch=main"])
        .expect_code(1);
    expect![[r#"
        {
          "run": "",
          "pipeline": "needs",
          "status": "invalid",
          "steps": 0,
          "path": [],
          "completed_nodes": [],
          "context": {},
          "diagnostics": [
            {
              "path": "p.dot",
              "rule": "missing_input",
              "severity": "error",
              "message": "input `token_count` is missing; pass --input token_count=VALUE",
              "range": {
                "start": {
                  "line": 2,
                  "column": 3
                },
                "end": {
                  "line": 2,
                  "column": 38
                }
              },
              "related": [],
              "fixes": []
            }
          ],
          "duration_ms": 0,
          "usage": {
            "input_tokens": 0,
            "output_tokens": 0,
            "cost": 0.0
          },
          "simulated": false
        }"#]]
    .assert_eq(&format!("{:#}", ended.json()));
    expect![[r#"
        error[missing_input]: input `token_count` is missing; pass --input token_count=VALUE
         --> p.dot:2:3
          |
        2 |   vars="branch, count=3, token_count"
          |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        p.dot: 1 error
    "#]]
    .assert_eq(&ended.stderr);
}

#[test]
fn what_does_not_exist_is_wrong_usage() {
    let project = Project::with("p.dot", NEEDS);
    for arguments in [
        &["run", "missing.dot"][..],
        &["run", "."],
        &["run", "p.dot", "--graph", "other"],
        &[
            "run",
            "p.dot",
            "--input",
            "branch=a",
            "--input",
            "token_count=1",
            "--from",
            "nowhere",
        ],
        &["validate", "missing.dot"],
        &["fmt", "missing.dot"],
        &["graph", "missing.dot"],
        &["graph", "p.dot", "--graph", "other"],
        &["explain", "no_such_name"],
        &["explain", "p.dot:nowhere"],
        &["new", "no_such_template"],
        &["resume", "01"],
        &["runs", "show", "01"],
        &["replay", "01"],
        &["cancel", "01"],
        &["answer", "01", "yes"],
    ] {
        let ended = project.run(arguments);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended}");
        assert_eq!(ended.stdout, "", "{arguments:?}");
    }
}

#[test]
fn an_ambiguous_run_names_the_candidates() {
    let project = Project::with(
        "p.dot",
        MISTAKE.replace("shape=parallelogram", "shape=parallelogram, command=true"),
    );
    project.run(["run", "p.dot"]).expect_code(0);
    project.run(["run", "p.dot"]).expect_code(0);
    let list = project.run(["runs", "--format", "json"]).json();
    let ended = project.run(["runs", "show", "0"]).expect_code(2);
    for index in [0, 1] {
        let id = list["runs"][index]["run"].as_str().expect("an id");
        assert!(ended.stderr.contains(id), "{ended}");
    }
}
