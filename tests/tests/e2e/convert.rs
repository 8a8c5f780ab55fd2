//! `attractor convert`: between dialects, and between DOT and JSON plan libraries.

use attractor_tests::Project;
use expect_test::expect;

const LOOP: &str = "// a review loop
digraph loop {
  goal=\"x\"
  start [shape=Mdiamond]; done [shape=Msquare]
  build [shape=parallelogram, script=\"make\"] // once
  watch [shape=house, stack.child_workflow=\"round.dot\"]
  start -> build
  build -> watch [condition=\"outcome=succeeded\"]
  build -> done [condition=\"outcome=failed\"]
  watch -> done
}
";

#[test]
fn dialects_round_trip() {
    let project = Project::with("loop.dot", LOOP);
    let to = |dialect: &str| {
        let output = project.run(["convert", "loop.dot", "--to", dialect]);
        assert_eq!(output.stderr, "");
        output.expect_code(0).stdout
    };
    assert_eq!(to("fabro"), LOOP);
    assert_eq!(to("attractor"), project.run(["convert", "loop.dot"]).stdout);
    expect![[r#"
        // a review loop
        digraph loop {
          goal="x"
          start [shape=Mdiamond]; done [shape=Msquare]
          build [shape=parallelogram, tool_command="make"] // once
          watch [shape=hexagon, child_graph="round.dot"]
          start -> build
          build -> watch [condition="outcome=success"]
          build -> done [condition="outcome=fail"]
          watch -> done
        }
    "#]]
    .assert_eq(&to("samueljklee"));
    let output = project.run(["convert", "loop.dot", "--to", "bogus"]);
    let output = output.expect_code(2);
    assert!(output.stderr.contains("kilroy"), "{output}");
}

#[test]
fn plan_converts_to_dot() {
    let plan = r#"{"name": "Two steps", "steps": [{"name": "Look"}, {"name": "Act"}]}"#;
    let project = Project::with("plan.json", plan);
    let dot = project.run(["convert", "plan.json"]).expect_code(0).stdout;
    project.write("plan.dot", &dot);
    project.run(["validate", "plan.dot"]).expect_code(0);
    assert!(dot.contains("look -> act [condition=on_success]"), "{dot}");
    let output = Project::with("plan.json", "{")
        .run(["convert", "plan.json"])
        .expect_code(1);
    assert!(
        output
            .stderr
            .starts_with("error[syntax]: invalid JSON: EOF while parsing an object"),
        "{output}"
    );
}

#[test]
fn plan_round_trips() {
    let plan = r#"{"two": {"name": "Two", "graph": {"start": "look", "nodes": {
        "look": {"type": "task", "action": "Look", "max_retries": 2},
        "act": {"type": "exit"}
    }, "edges": [{"from": "look", "to": "act", "condition": "on_success"}]}}}"#;
    let project = Project::with("plan.json", plan);
    let back = project.run(["convert", "plan.json", "--to", "plan"]);
    let expected: serde_json::Value = serde_json::from_str(plan).expect("JSON");
    assert_eq!(back.expect_code(0).json(), expected);
}

#[test]
fn plan_conversion_reports_losses() {
    let project = Project::with("loop.dot", LOOP);
    let output = project
        .run(["convert", "loop.dot", "--to", "plan"])
        .expect_code(1);
    expect![[r#"
        warning: plans have no word for what `build` of `loop` does (`tool`): other readers take it for a task
        warning: plans have no word for what `watch` of `loop` does (`supervisor`): other readers take it for a task
    "#]]
    .assert_eq(&output.stderr);
    // All of it is in the plan nevertheless.
    let again = project.run_with_input(["convert", "-", "--to", "fabro"], output.stdout);
    let again = again.expect_code(0).stdout;
    assert!(
        again.contains("stack.child_workflow=\"round.dot\""),
        "{again}"
    );
    let output = project.run_with_input(["convert", "-", "--to", "plan"], "digraph { a -> b }");
    assert!(output.stderr.contains("no pipeline in <stdin>"), "{output}");
}
