//! `[notify]` for runs of a terminal and of an editor.

use attractor_tests::{Editor, Project};
use serde_json::{Value, json};

const GATED: &str = r#"digraph release {
  start [shape=Mdiamond]
  review [type=human_gate, prompt="Release?"]
  done [shape=Msquare]
  start -> review -> done [label="[A] Approve"]
}
"#;

/// A project whose user is notified by a line in a file; `more` are further keys of the section.
fn project(more: &str) -> Project {
    let project = Project::with("flow.dot", GATED);
    let file = project.file("notified.jsonl").display().to_string();
    // One write, since two notifications may be on their way at once.
    let script = format!("text=$(cat); printf '%s\\\\n' \\\"$text\\\" >> {file}");
    let command = format!("command = [\"sh\", \"-c\", \"{script}\"]\n");
    project.write(
        ".config/attractor/config.toml",
        format!("[notify]\n{command}{more}\n"),
    );
    project
}

/// What was notified of, line by line.
fn notified(project: &Project) -> Vec<Value> {
    let text = std::fs::read_to_string(project.file("notified.jsonl")).unwrap_or_default();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_run_of_a_terminal_notifies_of_its_question_and_its_end() {
    let project = project("");
    project.run(["run", "flow.dot", "--dry-run"]).expect_code(0);
    assert_eq!(notified(&project), Vec::<Value>::new());
    project
        .run(["run", "flow.dot", "--answer", "review=Approve"])
        .expect_code(0);
    // The program waits for the notification of the end.
    let lines = notified(&project);
    let of = |event: &str| lines.iter().find(|line| line["event"] == event);
    assert_eq!(
        of("question").expect("a question")["question"]["text"],
        "Release?"
    );
    assert_eq!(of("end").expect("an end")["state"], "success");
    assert_eq!(lines.len(), 2, "{lines:?}");
    for line in &lines {
        assert_eq!(line["pipeline"], "release", "{line}");
    }
}

#[test]
fn resumed_and_forked_runs_notify_of_what_is_new() {
    let project = project("events = [\"question\", \"end\"]");
    project.run(["run", "flow.dot"]).expect_code(4);
    let before = notified(&project).len();
    project
        .run(["resume", "--answer", "review=Approve"])
        .expect_code(0);
    let lines = notified(&project);
    let new = lines.get(before..).unwrap_or_default();
    let ends = new.iter().filter(|line| line["event"] == "end");
    assert_eq!(ends.count(), 1, "{lines:?}");
    let before = lines.len();
    project
        .run([
            "fork",
            "review",
            "--keep-files",
            "--answer",
            "review=Approve",
        ])
        .expect_code(0);
    let lines = notified(&project);
    let new = lines.get(before..).unwrap_or_default();
    let ends = new.iter().filter(|line| line["event"] == "end");
    assert_eq!(ends.count(), 1, "{lines:?}");
}

#[test]
fn the_configuration_says_of_which_runs() {
    let project = project("runs = [\"serve\", \"editor\"]");
    project
        .run(["run", "flow.dot", "--answer", "review=Approve"])
        .expect_code(0);
    assert_eq!(notified(&project), Vec::<Value>::new());
    let drawing =
        json!({ "experimental": { "attractor": { "humanGate": true, "runState": true } } });
    let mut editor = Editor::open(&project, &drawing);
    let uri = format!("file://{}", project.file("flow.dot").display());
    editor.did_open(&uri, GATED);
    let trust = json!({ "uri": uri, "decision": "version" });
    editor.command("attractor.trust", &trust).expect("trusted");
    editor
        .command("attractor.run", &json!({ "uri": uri }))
        .expect("it starts");
    let lines = project.eventually("a notification", || {
        let lines = notified(&project);
        (!lines.is_empty()).then_some(lines)
    });
    assert_eq!(lines[0]["question"]["text"], "Release?");
    assert!(editor.leave().success());
}

#[test]
fn notifications_that_cannot_be_sent_are_a_warning() {
    let project = project("");
    project.write(
        ".config/attractor/config.toml",
        "[notify]\nurl = \"https://hooks.example/x\"\nsecret_variable = \"NO_SUCH_KEY\"\n",
    );
    let output = project
        .run(["run", "flow.dot", "--answer", "review=Approve"])
        .expect_code(0);
    assert!(
        output.stderr.contains("notifications are off for this run")
            && output.stderr.contains("NO_SUCH_KEY"),
        "{output}"
    );
}
