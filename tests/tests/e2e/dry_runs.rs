//! Dry runs of pipelines whose outcomes are open: every way is listed with what decides.

use attractor_tests::Project;
use expect_test::expect;

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

const TESTED: &str = r#"digraph tested {
  start [shape=Mdiamond]
  test [shape=parallelogram, command="make test"]
  fix [prompt="Make the tests pass"]
  done [shape=Msquare]
  start -> test
  test -> done [condition="outcome=success"]
  test -> fix [condition="outcome=fail"]
  fix -> test
}"#;

#[test]
fn a_loop_that_only_the_step_limit_ends_is_named() {
    let project = Project::with("tested.dot", TESTED);
    let output = project
        .run(["run", "tested.dot", "--dry-run"])
        .expect_code(0);
    let named: Vec<&str> = output
        .stdout
        .lines()
        .filter(|line| line.contains("keeps failing"))
        .collect();
    expect![[r#"
        fail     test keeps failing, without an end  start → test → fix → test → …
        test keeps failing, without an end: goes round test → fix until max_steps=1000 ends the run"#]]
    .assert_eq(&named.join("\n"));

    let report = project
        .run(["run", "tested.dot", "--dry-run", "--format", "json"])
        .json();
    let ways = report["ways"].as_array().expect("ways");
    let endless = ways.last().expect("a way");
    assert_eq!(endless["path"], serde_json::json!(["start", "test", "fix"]));
    assert_eq!(endless["repeats"], serde_json::json!(["test", "fix"]));
    assert_eq!(ways[0]["repeats"], serde_json::json!([]));

    // A limit of the loop ends it before.
    project.write("tested.dot", TESTED.replace("fix [", "fix [max_visits=3, "));
    let bounded = project
        .run(["run", "tested.dot", "--dry-run"])
        .expect_code(0);
    assert!(!bounded.stdout.contains("goes round"), "{bounded}");
}
