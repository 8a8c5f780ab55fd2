//! Runs that are launched or attached to while they run.

use std::fmt::Write as _;

use attractor_tests::Project;
use serde_json::{Value, json};

use super::client::Client;

const STEPS: &str = r#"digraph steps {
  start [shape=Mdiamond]
  done  [shape=Msquare]
  // nothing is here
  first  [command="echo first >> effects; echo depth=3"]
  second [command="echo second >> effects; echo $depth > depth"]
  start -> first -> second
  second -> done [condition="outcome=success"]
}"#;

fn pair(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

fn lines(lines: &[i64]) -> Value {
    lines.iter().map(|line| json!({ "line": line })).collect()
}

fn effects(project: &Project) -> String {
    std::fs::read_to_string(project.file("effects")).unwrap_or_default()
}

#[test]
fn breakpoints_pause_before_the_work_begins() {
    let project = Project::with("steps.dot", STEPS);
    let file = project.file("steps.dot").display().to_string();
    let mut client = Client::start(&project);
    let launch = json!({ "program": file, "stopOnEntry": true });
    let set = client.begin("launch", &launch, &file, &lines(&[4, 6, 8]));
    let verified: Vec<bool> = set["breakpoints"]
        .as_array()
        .expect("breakpoints")
        .iter()
        .map(|breakpoint| breakpoint["verified"] == true)
        .collect();
    assert_eq!(verified, [false, true, true]);
    assert_eq!(
        set["breakpoints"][0]["message"],
        "no node and no edge begins on this line"
    );
    assert_eq!(client.stopped(), pair("entry", "before start"));
    client.request("continue", &json!({ "threadId": 1 }));
    assert_eq!(client.stopped(), pair("breakpoint", "before second"));
    assert_eq!(effects(&project), "first\n");
    let frames = client.frames(&json!(1));
    assert_eq!(
        (&frames[0]["line"], &frames[0]["source"]["path"]),
        (&json!(6), &json!(file))
    );
    // The edge is taken, and the node after it has not begun.
    client.request("continue", &json!({ "threadId": 1 }));
    assert_eq!(client.stopped(), pair("breakpoint", "before done"));
    assert_eq!(effects(&project), "first\nsecond\n");
    assert_eq!(
        client.console("outcome=success and depth > 5"),
        Ok(
            "false\n  outcome=success: true (outcome = success)\n  depth > 5: false (depth is missing)\n  ! `depth > 5` is false: a missing value and the number 5 have no order"
                .to_owned()
        )
    );
    let why = client.console("why second done").expect("a reason");
    assert!(
        why.starts_with("second -> done was taken by rule: condition `outcome=success`"),
        "{why}"
    );
    client.request("next", &json!({ "threadId": 1 }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
    assert!(client.disconnect(&json!({})).success());
}

#[test]
fn a_value_that_is_set_is_what_the_next_node_sees() {
    let project = Project::with("steps.dot", STEPS);
    let file = project.file("steps.dot").display().to_string();
    let mut client = Client::start(&project);
    let launch = json!({ "program": file, "inputs": { "depth": 1 } });
    client.begin("launch", &launch, &file, &lines(&[6]));
    assert_eq!(client.stopped(), pair("breakpoint", "before second"));
    let frame = client.frames(&json!(1))[0]["id"].clone();
    let context = client.scope(&frame, "Context");
    let wrong = json!({ "variablesReference": context, "name": "depth", "value": "deep" });
    let reason = client.refused("setVariable", &wrong);
    assert_eq!(reason, "`depth` is a number, and `deep` is a text");
    let set = json!({ "variablesReference": context, "name": "depth", "value": "7" });
    assert_eq!(client.request("setVariable", &set)["value"], "7");
    assert_eq!(client.variable("Context", "depth")["value"], "7");
    client.request("continue", &json!({ "threadId": 1 }));
    client.event("terminated");
    assert!(client.disconnect(&json!({})).success());
    assert_eq!(project.read("depth"), "7\n");
    let shown = project.run(["replay", "--check"]).expect_code(0);
    drop(shown);
}

/// 1,000 breakpoints and 1,000 branches.
#[test]
fn many_branches_are_threads() {
    let mut dot = "digraph many {\n  start [shape=Mdiamond]; done [shape=Msquare]; fork [shape=component, max_parallel=1000]; join [shape=tripleoctagon]\n  start -> fork; join -> done\n".to_owned();
    for branch in 0..1000 {
        writeln!(dot, "  b{branch} [shape=diamond]").expect("written");
    }
    for branch in 0..1000 {
        writeln!(dot, "  fork -> b{branch} -> join").expect("written");
    }
    dot.push('}');
    let project = Project::with("many.dot", dot);
    let file = project.file("many.dot").display().to_string();
    let mut client = Client::start(&project);
    let all: Vec<i64> = (4..1004).collect();
    client.begin("launch", &json!({ "program": file }), &file, &lines(&all));
    let (reason, at) = client.stopped();
    assert_eq!((reason.as_str(), at.as_str()), ("breakpoint", "before b0"));
    let threads = client.request("threads", &json!({}));
    assert_eq!(threads["threads"].as_array().map(Vec::len), Some(1001));
    let ends = json!({ "terminateDebuggee": true });
    assert!(client.disconnect(&ends).success());
    let list = project.run(["runs", "list", "--format", "json"]).json();
    assert_eq!(list["runs"][0]["state"], "cancelled");
}

#[test]
fn a_run_of_another_process_is_debugged() {
    let project = Project::with(
        "steps.dot",
        STEPS.replace(
            "echo first",
            "while [ ! -e go ]; do sleep 0.05; done; echo first",
        ),
    );
    let file = project.file("steps.dot").display().to_string();
    let started = project.start(["run", "steps.dot"]);
    let run = project.eventually("a run", || {
        let list = project.run(["runs", "list", "--format", "json"]).json();
        let is_at_work = list["runs"][0]["node"] == "first";
        is_at_work
            .then(|| list["runs"][0]["run"].as_str().map(str::to_owned))
            .flatten()
    });
    let mut client = Client::start(&project);
    client.begin("attach", &json!({ "run": run }), &file, &lines(&[6]));
    project.write("go", "");
    assert_eq!(client.stopped(), pair("breakpoint", "before second"));
    assert_eq!(effects(&project), "first\n");
    // The client leaves; the run stays paused, and continues without breakpoints.
    assert!(client.disconnect(&json!({})).success());
    let shown = project
        .run(["runs", "show", &run, "--format", "json"])
        .json();
    assert_eq!(shown["state"], "paused");
    project.run(["resume", &run]).expect_code(0);
    started.end().expect_code(0);
    assert_eq!(effects(&project), "first\nsecond\n");
}

#[test]
fn a_launched_run_is_resumed_after_its_client_is_gone() {
    let project = Project::with("steps.dot", STEPS);
    let file = project.file("steps.dot").display().to_string();
    let mut client = Client::start(&project);
    client.begin("launch", &json!({ "program": file }), &file, &lines(&[6]));
    client.stopped();
    client.hang_up();
    let list = project.run(["runs", "list", "--format", "json"]).json();
    assert_eq!(list["runs"][0]["state"], "interrupted");
    project.run(["resume"]).expect_code(0);
    assert_eq!(effects(&project), "first\nsecond\n");
}
