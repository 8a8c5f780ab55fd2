//! Dry runs of pipelines whose outcomes are open: every way is listed with what decides.

use attractor_tests::Project;

const PRINTED: &str = r#"digraph printed {
  start [shape=Mdiamond]
  check [shape=parallelogram, command="make check"]
  fix [shape=parallelogram, command="make fix"]
  done [shape=Msquare]
  start -> check
  check -> done [condition="context.tool.last_line=pass"]
  check -> fix [condition="context.tool.last_line=fail"]
  fix -> check
}"#;

#[test]
fn a_dry_run_takes_each_way() {
    let project = Project::with("printed.dot", PRINTED);
    let output = project
        .run(["run", "printed.dot", "--dry-run"])
        .expect_code(0);
    assert!(
        output.stdout.contains("Ways this pipeline can take"),
        "{output}"
    );
    assert!(output.stdout.contains("start → check → done"), "{output}");
    assert!(output.stdout.contains("check → fix → check"), "{output}");

    let report = project
        .run(["run", "printed.dot", "--dry-run", "--format", "json"])
        .json();
    assert_eq!(report["reality"], "dry");
    let ways = report["ways"].as_array().expect("ways");
    assert!(ways.len() >= 2, "{report}");
    assert_eq!(ways[0]["state"], "success");
    assert_eq!(ways[0]["path"], report["path"]);
    assert_eq!(ways[0]["outcomes"]["check"][0]["output"], "pass");
}

#[test]
fn a_given_outcome_narrows_the_ways() {
    let project = Project::with(
        "tests.dot",
        r#"digraph tests {
  start [shape=Mdiamond]
  check [shape=parallelogram, command="make check"]
  fix [shape=parallelogram, command="make fix"]
  done [shape=Msquare]
  start -> check
  check -> done [condition="outcome=success"]
  check -> fix [condition="outcome=fail"]
  fix -> done
}"#,
    );
    let ways = |options: &[&str]| {
        let run = ["run", "tests.dot", "--dry-run", "--format", "json"];
        let report = project.run(run.iter().chain(options)).json();
        let ways = report["ways"].as_array().expect("ways").clone();
        let paths = ways.iter().map(|way| way["path"].to_string());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(
        ways(&[]),
        [
            r#"["start","check","done"]"#,
            r#"["start","check","fix","done"]"#
        ]
    );
    assert_eq!(
        ways(&["--outcome", "check=fail"]),
        [r#"["start","check","fix","done"]"#]
    );
}
