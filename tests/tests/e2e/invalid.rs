//! Refused runs are reported in the requested format, and wrong usage has its own exit code.

use attractor_tests::Project;
use expect_test::expect;

const NEEDS: &str = r#"digraph needs {
  vars="branch, count=3, token_count"
  start [shape=Mdiamond]; work [shape=parallelogram, command="echo {branch}"]; fin [shape=Msquare]
  start -> work -> fin
}"#;

const BROKEN: &str = r#"digraph broken {
  start [shape=Mdiamond]; work [shape=parallelogram]; fin [shape=Msquare]
  start -> work -> fin
}"#;

const ITSELF: &str = r#"digraph itself {
  start [shape=Mdiamond]; again [shape=folder, sub_pipeline=itself]; fin [shape=Msquare]
  start -> again -> fin
}"#;

#[test]
fn refused_run_reports_diagnostics_as_json() {
    for (text, rules) in [
        (NEEDS, vec!["missing_input", "missing_input"]),
        (BROKEN, vec!["required_attribute"]),
        (ITSELF, vec!["sub_pipeline_cycle"]),
        ("digraph {", vec!["syntax"]),
    ] {
        let project = Project::with("p.dot", text);
        for format in ["json", "events"] {
            let output = project
                .run(["run", "p.dot", "--format", format])
                .expect_code(1);
            let report = if format == "json" {
                output.json()
            } else {
                let lines = output.json_lines();
                assert_eq!(lines.len(), 1, "{output}");
                assert_eq!(lines[0]["type"], "pipeline_refused", "{output}");
                lines[0].clone()
            };
            assert_eq!(report["status"], "invalid", "{output}");
            let found: Vec<_> = report["diagnostics"]
                .as_array()
                .expect("a list")
                .iter()
                .filter(|one| one["severity"] == "error")
                .map(|one| one["rule"].as_str().expect("a rule").to_owned())
                .collect();
            assert_eq!(found, rules, "{output}");
            assert!(!project.file(".attractor").exists());
        }
    }
}

#[test]
fn missing_inputs_are_diagnostics() {
    let project = Project::with("p.dot", NEEDS);
    let output = project
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
    .assert_eq(&format!("{:#}", output.json()));
    expect![[r#"
        error[missing_input]: input `token_count` is missing; pass --input token_count=VALUE
         --> p.dot:2:3
          |
        2 |   vars="branch, count=3, token_count"
          |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

        p.dot: 1 error
    "#]]
    .assert_eq(&output.stderr);
}

#[test]
fn missing_things_are_usage_errors() {
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
        let output = project.run(arguments);
        assert_eq!(output.code, Some(2), "{arguments:?}: {output}");
        assert_eq!(output.stdout, "", "{arguments:?}");
    }
}

#[test]
fn ambiguous_run_prefix_lists_candidates() {
    let project = Project::with(
        "p.dot",
        BROKEN.replace("shape=parallelogram", "shape=parallelogram, command=true"),
    );
    project.run(["run", "p.dot"]).expect_code(0);
    project.run(["run", "p.dot"]).expect_code(0);
    let list = project.run(["runs", "--format", "json"]).json();
    let output = project.run(["runs", "show", "0"]).expect_code(2);
    for index in [0, 1] {
        let id = list["runs"][index]["run"].as_str().expect("an id");
        assert!(output.stderr.contains(id), "{output}");
    }
}
