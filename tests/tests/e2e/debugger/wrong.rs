//! Clients and runs that are not as they should be.

use attractor_tests::Project;
use serde_json::json;

use super::client::Client;

const LINE: &str = "digraph line {\n  start [shape=Mdiamond]; done [shape=Msquare]\n  big [command=\"head -c 10000000 /dev/zero | tr '\\\\0' x\"]\n  start -> big -> done\n}";

#[test]
fn garbage_ends_the_session_and_not_the_run() {
    for garbage in [
        "hello\r\n\r\n",
        "Content-Length: 5\r\n\r\nhello",
        "Content-Length: 99999999999\r\n\r\n",
    ] {
        let project = Project::with("line.dot", LINE);
        let file = project.file("line.dot").display().to_string();
        let mut client = Client::start(&project);
        let launch = json!({ "program": file, "stopOnEntry": true });
        client.begin("launch", &launch, &file, &json!([]));
        client.stopped();
        client.write(garbage.as_bytes());
        assert!(!client.wait().success());
        let list = project.run(["runs", "list", "--format", "json"]).json();
        assert_eq!(list["runs"][0]["state"], "interrupted");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let project = Project::with("line.dot", LINE);
    let file = project.file("line.dot").display().to_string();
    let mut client = Client::start(&project);
    for (command, arguments, expected) in [
        (
            "stackTrace",
            json!({ "threadId": 1 }),
            "no run is debugged yet",
        ),
        ("attach", json!({ "run": "01ZZZ" }), "01ZZZ"),
        ("attach", json!({}), "invalid arguments of `attach`"),
        ("launch", json!({ "program": "" }), "`program` is missing"),
        ("readMemory", json!({}), "no run is debugged yet"),
    ] {
        let reason = client.refused(command, &arguments);
        assert!(reason.contains(expected), "{command}: {reason}");
    }
    let breakpoints = json!([
        { "line": 3, "condition": "a ===" },
        { "line": 3, "hitCondition": "often" },
        { "line": 900 },
        { "line": -5 },
    ]);
    let launch = json!({ "program": file, "stopOnEntry": true });
    let set = client.begin("launch", &launch, &file, &breakpoints);
    for breakpoint in set["breakpoints"].as_array().expect("breakpoints") {
        assert_eq!(breakpoint["verified"], false, "{breakpoint}");
    }
    client.stopped();
    for (command, arguments, expected) in [
        ("launch", json!({ "program": file }), "has a run already"),
        ("scopes", json!({ "frameId": 99 }), "unknown frame"),
        (
            "variables",
            json!({ "variablesReference": 99 }),
            "continued since",
        ),
        (
            "evaluate",
            json!({ "expression": "nothing" }),
            "no key `nothing`",
        ),
        (
            "evaluate",
            json!({ "expression": "a === b" }),
            "invalid condition",
        ),
        ("restartFrame", json!({ "frameId": 1 }), "has not begun"),
        ("readMemory", json!({}), "does not support `readMemory`"),
    ] {
        let reason = client.refused(command, &arguments);
        assert!(reason.contains(expected), "{command}: {reason}");
    }
    assert!(
        client
            .disconnect(&json!({ "terminateDebuggee": true }))
            .success()
    );
}

#[test]
fn a_pipeline_with_errors_is_not_launched() {
    let project = Project::with("wrong.dot", "digraph { a -> }");
    let file = project.file("wrong.dot").display().to_string();
    let mut client = Client::start(&project);
    let seq = client.send("launch", &json!({ "program": file }));
    client.event("initialized");
    client.request("configurationDone", &json!({}));
    let reason = client.answer(seq).expect_err("it is refused");
    assert!(reason.contains("the pipeline has errors"), "{reason}");
    client.event("terminated");
    assert!(client.disconnect(&json!({})).success());
}

#[test]
fn a_damaged_journal_is_reported() {
    let project = Project::with("line.dot", LINE.replace("head -c 10000000", "head -c 10"));
    project.run(["run", "line.dot"]).expect_code(0);
    let list = project.run(["runs", "list", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("an id").to_owned();
    let path = format!(".attractor/runs/{run}/journal.jsonl");
    project.damages_runs();
    let journal = project
        .read(&path)
        .replacen("stage_started", "stage_starved", 1);
    project.write(&path, journal);
    let mut client = Client::start(&project);
    let reason = client.refused("attach", &json!({ "run": run }));
    assert!(reason.contains("journal.jsonl"), "{reason}");
    assert!(client.disconnect(&json!({})).success());
}

#[test]
fn large_values_are_cut_with_a_note() {
    let project = Project::with("line.dot", LINE);
    let file = project.file("line.dot").display().to_string();
    let mut client = Client::start(&project);
    client.begin(
        "launch",
        &json!({ "program": file }),
        &file,
        &json!([{ "line": 2, "column": 27 }]),
    );
    client.stopped();
    let variable = client.variable("Context", "output.big");
    let value = variable["value"].as_str().expect("a text");
    assert!(value.len() < 20_000, "{}", value.len());
    assert!(
        client
            .disconnect(&json!({ "terminateDebuggee": true }))
            .success()
    );
}
