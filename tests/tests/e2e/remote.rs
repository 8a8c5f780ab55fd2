//! The language server as a client of `attractor serve`: runs of another folder and another process in an editor.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use attractor_tests::{Editor, Project};
use serde_json::{Value, json};

use crate::http::Served;

const GATED: &str = r#"digraph release {
  start [shape=Mdiamond]
  build [type=tool, command="echo built; echo new > made.txt"]
  review [type=human_gate, prompt="Release?"]
  done [shape=Msquare]
  start -> build -> review
  review -> done [label="[A] Approve"]
  review -> build [label="[R] Revise"]
}
"#;

/// The line of the gate.
const GATE: u32 = 3;

/// An editor that draws runs and answers `workspace/configuration`; with `sends_token` it also keeps a token.
fn capabilities(sends_token: bool) -> Value {
    json!({
        "workspace": { "configuration": true },
        "experimental": { "attractor": {
            "events": true, "humanGate": true, "runState": true, "serverToken": sends_token,
        } },
    })
}

/// An editor connected to a server by its settings.
fn connected(project: &Project, url: &str, capabilities: &Value, token: Option<&str>) -> Editor {
    let variables = token.map(|token| ("ATTRACTOR_TOKEN", token.to_owned()));
    let mut editor = Editor::open_with(project, capabilities, variables.into_iter().collect());
    editor.reply(
        "workspace/configuration",
        json!([{ "server": { "remote": url } }]),
    );
    editor
}

/// Submits the pipeline; returns the id of its run.
fn submit(served: &Served, project: &Project) -> String {
    let submission = json!({ "dot": GATED }).to_string();
    project.write("submission.json", submission);
    let script = "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d @submission.json $URL/pipelines";
    let started: Value =
        serde_json::from_str(&served.script(project, script)).expect("a started run");
    started["id"].as_str().expect("its id").to_owned()
}

fn name_of(served: &Served) -> &str {
    served.url.trim_start_matches("http://")
}

fn uri(project: &Project, name: &str) -> String {
    format!("file://{}", project.file(name).display())
}

fn question_of(editor: &mut Editor, id: &str) -> Value {
    editor.notification("attractor/question", |params| params["run"] == id)
}

fn until(editor: &mut Editor, id: &str, state: &str) -> Value {
    editor.notification("attractor/runState", |params| {
        params["run"] == id && params["state"] == state
    })
}

/// Every status that the server has sent.
fn statuses(editor: &mut Editor) -> Vec<Value> {
    let heard = editor.heard().lines();
    let messages = heard.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages
        .filter(|message| message["method"] == "attractor/status")
        .map(|message| message["params"].clone())
        .collect()
}

#[test]
fn a_gate_of_a_run_elsewhere_is_answered_in_the_file_with_its_text() {
    let (there, here) = (Project::new(), Project::with("flow.dot", GATED));
    let served = Served::start(&there);
    let id = submit(&served, &there);
    let mut editor = connected(
        &here,
        &served.url,
        &capabilities(false),
        Some(&served.token),
    );
    let uri = uri(&here, "flow.dot");
    editor.did_open(&uri, GATED);
    let question = question_of(&mut editor, &id);
    assert_eq!(question["uri"], uri.as_str(), "{question}");
    assert_eq!(question["server"], name_of(&served), "{question}");
    assert_eq!(question["range"]["start"]["line"], GATE, "{question}");
    let asked = editor.notification("textDocument/publishDiagnostics", |params| {
        params["uri"] == uri.as_str() && params.to_string().contains("Release?")
    });
    assert!(asked.to_string().contains("\"line\":3"), "{asked}");
    let place = json!({ "line": GATE, "character": 3 });
    let about = json!({
        "textDocument": { "uri": uri },
        "range": { "start": place, "end": place },
        "context": { "diagnostics": [] },
    });
    let actions = editor
        .request("textDocument/codeAction", about)
        .expect("actions");
    assert!(actions.to_string().contains("Approve"), "{actions}");

    let listed = editor.command("attractor.runs", &json!({})).expect("runs");
    let row = &listed["runs"][0];
    assert_eq!(
        (&row["run"], &row["server"], &row["state"], &row["uri"]),
        (
            &json!(id),
            &json!(name_of(&served)),
            &json!("waiting"),
            &json!(uri)
        ),
        "{listed}"
    );
    let about_node = json!({ "run": id, "node": "build", "contents": true });
    let changes = editor
        .command("attractor.diff", &about_node)
        .expect("changes");
    assert_eq!(changes["files"][0]["path"], "made.txt", "{changes}");
    assert_eq!(changes["files"][0]["after"], "new\n", "{changes}");
    let log = editor.command("attractor.log", &about_node).expect("a log");
    let path = log["uri"].as_str().expect("a URI").replace("file://", "");
    assert_eq!(std::fs::read_to_string(path).expect("the log"), "built\n");
    let refused = editor
        .command("attractor.revert", &json!({ "run": id }))
        .expect_err("its files are elsewhere");
    assert_eq!(refused["data"]["code"], "notHere", "{refused}");

    let answer =
        |text: &str| json!({ "run": id, "question": question["question"]["id"], "answer": text });
    let wrong = editor
        .command("attractor.answer", &answer("perhaps"))
        .expect_err("it is no choice");
    assert_eq!(wrong["data"]["code"], "badAnswer", "{wrong}");
    let accepted = editor
        .command("attractor.answer", &answer("approve"))
        .expect("an answer");
    assert_eq!(accepted["accepted"], true, "{accepted}");
    editor.notification("attractor/questionClosed", |params| params["run"] == id);
    until(&mut editor, &id, "success");
    let events = editor
        .command("attractor.events", &json!({ "run": id }))
        .expect("events");
    let local = there.run(["runs", "events", &id]).expect_code(0);
    let last = local.stdout.lines().count();
    assert_eq!(events["last"], last, "{events}");
    assert!(!editor.heard().contains(&served.token));
    assert!(editor.leave().success());
}

#[test]
fn a_run_without_its_file_here_is_shown_in_a_read_only_copy() {
    let (there, here) = (
        Project::new(),
        Project::with("other.dot", "digraph release { a -> b }"),
    );
    let served = Served::start(&there);
    let id = submit(&served, &there);
    // A token that the editor keeps is waited for, and is for its server only.
    let mut editor = connected(&here, &served.url, &capabilities(true), None);
    let send = |editor: &mut Editor, server: &str| {
        let params = json!({ "server": server, "token": served.token });
        editor.notify("attractor/serverToken", params);
    };
    send(&mut editor, "https://box.example");
    editor.command("attractor.runs", &json!({})).expect("runs");
    send(&mut editor, &served.url);
    let question = question_of(&mut editor, &id);
    let shown = question["uri"].as_str().expect("a URI").to_owned();
    let path = shown.replace("file://", "");
    assert!(path.ends_with("/release.dot"), "{path}");
    assert_eq!(std::fs::read_to_string(&path).expect("the copy"), GATED);
    let permissions = std::fs::metadata(&path).expect("the copy").permissions();
    assert!(permissions.readonly());
    assert_eq!(question["range"]["start"]["line"], GATE, "{question}");
    // Once a file has the text, the run is shown there.
    here.write("flow.dot", GATED);
    let own = uri(&here, "flow.dot");
    editor.did_open(&own, GATED);
    let moved = question_of(&mut editor, &id);
    assert_eq!(moved["uri"], own.as_str(), "{moved}");
    assert!(editor.leave().success());
    assert!(!Path::new(&path).exists(), "copies end with the editor");
}

#[test]
fn runs_elsewhere_are_steered_cancelled_and_resumed() {
    let (there, here) = (Project::new(), Project::new());
    let served = Served::start(&there);
    let id = submit(&served, &there);
    let mut editor = connected(
        &here,
        &served.url,
        &capabilities(false),
        Some(&served.token),
    );
    question_of(&mut editor, &id);
    let message = json!({ "run": id, "node": "build", "message": "hello" });
    let refused = editor
        .command("attractor.steer", &message)
        .expect_err("it calls no model");
    assert_eq!(refused["data"]["code"], "steeringRejected", "{refused}");
    let run = json!({ "run": id });
    editor.command("attractor.cancel", &run).expect("cancelled");
    until(&mut editor, &id, "cancelled");
    let report = editor.command("attractor.report", &run).expect("a report");
    assert!(report["text"].to_string().contains("cancelled"), "{report}");
    let resumed = editor.command("attractor.resume", &run).expect("resumed");
    assert_eq!(resumed["run"], id.as_str());
    question_of(&mut editor, &id);
    assert!(editor.leave().success());
}

#[test]
fn a_wrong_token_and_an_open_connection_are_explained_once() {
    let (there, here) = (Project::new(), Project::new());
    let served = Served::start(&there);
    let id = submit(&served, &there);
    let mut editor = connected(&here, &served.url, &capabilities(false), Some("wrong"));
    let said = editor.notification("window/showMessage", |_| true);
    let text = said["message"].as_str().expect("a text").to_owned();
    assert!(text.contains("does not accept the token"), "{text}");
    assert!(text.contains("Connect to Server"), "{text}");
    let status = editor.notification("attractor/status", |params| params["health"] == "error");
    assert_eq!(status["message"], text.as_str());
    let token = json!({ "server": served.url, "token": served.token });
    editor.notify("attractor/serverToken", token);
    question_of(&mut editor, &id);
    assert_eq!(editor.heard().matches("does not accept").count(), 2);
    assert!(editor.leave().success());

    let mut editor = connected(
        &here,
        "http://box.example:4123",
        &capabilities(false),
        Some("x"),
    );
    let said = editor.notification("window/showMessage", |_| true);
    assert!(said.to_string().contains("in the clear"), "{said}");
    assert!(editor.leave().success());
}

#[test]
fn a_server_that_ends_and_comes_back_is_one_warning() {
    let (there, here) = (Project::new(), Project::with("flow.dot", GATED));
    let served = Served::start(&there);
    let id = submit(&served, &there);
    let mut editor = connected(
        &here,
        &served.url,
        &capabilities(false),
        Some(&served.token),
    );
    question_of(&mut editor, &id);
    let (_, port) = served.url.rsplit_once(':').expect("its port");
    let port = port.to_owned();
    served.signal("KILL");
    drop(served);
    let status = editor.notification("attractor/status", |params| params["health"] == "warning");
    assert!(status.to_string().contains("annot reach"), "{status}");
    let served = Served::with(&there, &["serve", "--resume-all", "--port", &port]);
    there.eventually("the question is asked again", || {
        let questions =
            "curl -sS -H \"Authorization: Bearer $TOKEN\" \"$URL/pipelines/$ID/questions\"";
        let printed = served.script(&there, &format!("ID={id}; {questions}"));
        printed.contains("Release?").then_some(())
    });
    there.run(["answer", &id, "approve"]).expect_code(0);
    until(&mut editor, &id, "success");
    let begin = Instant::now();
    while statuses(&mut editor).last().expect("a status")["health"] != "ok" {
        let waited = begin.elapsed();
        assert!(waited < Duration::from_secs(30), "the warning stays");
    }
    // The status is sent again when a run changes meanwhile, with the same words.
    let statuses = statuses(&mut editor);
    let warnings = statuses
        .iter()
        .filter(|status| status["health"] == "warning");
    let words: BTreeSet<String> = warnings
        .map(|status| status["message"].to_string())
        .collect();
    assert_eq!(words.len(), 1, "{words:?}");
    assert!(!editor.heard().contains("window/showMessage"));
    assert!(editor.leave().success());
}
