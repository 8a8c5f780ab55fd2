//! Questions: asked at the terminal, answered from elsewhere, never answered silently.

use std::process::Command;

use attractor_tests::{Project, RunningProcess, Terminal, program};
use expect_test::expect;
use serde_json::Value;

pub(crate) const GATE: &str = "digraph gate {
  start [shape=Mdiamond]
  ask [shape=hexagon, prompt=\"Ship it?\"]
  ship [shape=parallelogram, command=\"echo shipped > shipped\"]
  done [shape=Msquare]
  stop [shape=Msquare]
  start -> ask
  ask -> ship [label=\"[Y] Yes\"]
  ask -> stop [label=\"[N] No\"]
  ship -> done
}
";

#[test]
fn gate_without_terminal_fails_closed() {
    let project = Project::with("gate.dot", GATE);
    let ended = project
        .run(["run", "gate.dot", "--format", "json"])
        .expect_code(4);
    assert_eq!(ended.json()["failure"]["class"], "unanswered");
    assert!(!project.file("shipped").exists());
    let ended = project.run(["run", "gate.dot"]).expect_code(4);
    assert!(ended.stdout.contains("--auto-approve"), "{ended}");
}

#[test]
fn prepared_answers_are_used() {
    let project = Project::with("gate.dot", GATE);
    project
        .run(["run", "gate.dot", "--answer", "ask=N"])
        .expect_code(0);
    assert!(!project.file("shipped").exists());
    project
        .run(["run", "gate.dot", "--answer", "ask=yes"])
        .expect_code(0);
    assert!(project.file("shipped").exists());
}

#[test]
fn invalid_prepared_answer_fails() {
    let project = Project::with("gate.dot", GATE);
    let ended = project.run(["run", "gate.dot", "--answer", "ask=perhaps"]);
    assert_ne!(ended.code, Some(0), "{ended}");
    assert!(!project.file("shipped").exists());
}

#[test]
fn terminal_is_asked() {
    let project = Project::with("gate.dot", GATE);
    let mut terminal = Terminal::start(&project, &["run", "gate.dot"], 80);
    let screen = terminal.eventually("the question", |screen| screen.ends_with("\n>"));
    for part in ["Ship it?", "[Y] Yes", "[N] No"] {
        assert!(screen.contains(part), "{part:?} is missing:\n{screen}");
    }
    terminal.keys("perhaps\r");
    terminal.eventually("a word that no choice has", |screen| {
        screen.contains("is not a choice") && screen.ends_with("\n>")
    });
    terminal.keys("y\r");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("success"), "{screen}");
    assert!(project.file("shipped").exists());
}

#[test]
fn freeform_choice_takes_text() {
    let text = "digraph gate {
  start [shape=Mdiamond]
  ask [shape=hexagon, mode=choice, prompt=\"Ship it?\"]
  ship [command=\"echo shipped\"]
  edit [command=\"echo {human.gate.text}\"]
  done [shape=Msquare]
  start -> ask
  ask -> ship [label=\"[A] Approve\"]
  ask -> edit [freeform=true]
  ship -> done; edit -> done
}
";
    let project = Project::with("gate.dot", text);
    for (answer, path, line) in [
        (
            "ask=Rewrite the introduction",
            "start ask edit done",
            "Rewrite the introduction",
        ),
        ("ask=Approve", "start ask ship done", "shipped"),
        ("ask=a", "start ask ship done", "shipped"),
    ] {
        let ended = project
            .run(["run", "gate.dot", "--answer", answer, "--format", "json"])
            .expect_code(0);
        let report = ended.json();
        let nodes = report["path"].as_array().expect("a path").iter();
        let nodes: Vec<&str> = nodes.filter_map(Value::as_str).collect();
        assert_eq!(nodes.join(" "), path, "{answer}");
        assert_eq!(report["context"]["tool.last_line"], line, "{answer}");
    }
}

const CHANGES: &str = "digraph changes {
  start [shape=Mdiamond]
  done [shape=Msquare]
  edit [command=\"echo two >> src.txt; echo new > new.txt; printf 'a\\\\0b' > data.bin; rm old.txt; echo x > .env\"]
  first [shape=hexagon, prompt=\"Keep it?\", attachments=\"new.txt, plan.md\"]
  more [command=\"echo three >> src.txt; rm new.txt\"]
  second [shape=hexagon, prompt=\"Still?\"]
  start -> edit -> first -> more -> second -> done
}
";

/// The files shown with each question of a run, a line each.
fn shown_files(events: &str) -> String {
    let mut shown: Vec<String> = Vec::new();
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).expect("an event per line");
        if event["type"] != "interview_started" {
            continue;
        }
        let node = event["question"]["node"].as_str().expect("a node");
        shown.push(format!("{node}\n"));
        let files = event["question"]["evidence"]["files"].as_array();
        for file in files.into_iter().flatten() {
            let diff = file["diff"].as_str().unwrap_or_default().replace('\n', "|");
            shown.push(format!(
                "  {} {} +{} -{} {diff}\n",
                file["path"], file["change"], file["added"], file["removed"]
            ));
        }
    }
    shown.concat()
}

#[test]
fn gate_shows_changed_files() {
    let project = Project::with("changes.dot", CHANGES);
    for (name, text) in [
        ("src.txt", "one\n"),
        ("old.txt", "old\n"),
        ("same.txt", "same\n"),
    ] {
        project.write(name, text);
    }
    let ended = project
        .run(["run", "changes.dot", "--auto-approve", "--format", "events"])
        .expect_code(0);
    expect![[r#"
        first
          "new.txt" "added" +1 -0 @@ -0,0 +1 @@|+new
          "plan.md" null +null -null 
          "data.bin" "added" +null -null 
          "old.txt" "deleted" +0 -1 @@ -1 +0,0 @@|-old
          "src.txt" "modified" +1 -0 @@ -1 +1,2 @@| one|+two
        second
          "data.bin" "added" +null -null 
          "old.txt" "deleted" +0 -1 @@ -1 +0,0 @@|-old
          "src.txt" "modified" +2 -0 @@ -1 +1,3 @@| one|+two|+three
    "#]]
    .assert_eq(&shown_files(&ended.stdout));
}

#[test]
fn resumed_gate_compares_with_run_start() {
    let project = Project::with("changes.dot", CHANGES);
    project.write("src.txt", "one\n");
    project.write("old.txt", "old\n");
    project.run(["run", "changes.dot"]).expect_code(4);
    let ended = project
        .run(["resume", "--auto-approve", "--format", "events"])
        .expect_code(0);
    expect![[r#"
        first
          "new.txt" "added" +1 -0 @@ -0,0 +1 @@|+new
          "plan.md" null +null -null 
          "data.bin" "added" +null -null 
          "old.txt" "deleted" +0 -1 @@ -1 +0,0 @@|-old
          "src.txt" "modified" +1 -0 @@ -1 +1,2 @@| one|+two
        first
          "new.txt" "added" +1 -0 @@ -0,0 +1 @@|+new
          "plan.md" null +null -null 
          "data.bin" "added" +null -null 
          "old.txt" "deleted" +0 -1 @@ -1 +0,0 @@|-old
          "src.txt" "modified" +1 -0 @@ -1 +1,2 @@| one|+two
        second
          "data.bin" "added" +null -null 
          "old.txt" "deleted" +0 -1 @@ -1 +0,0 @@|-old
          "src.txt" "modified" +2 -0 @@ -1 +1,3 @@| one|+two|+three
    "#]]
    .assert_eq(&shown_files(&ended.stdout));
}

/// A run in a terminal that stays open, so that its question stays open.
pub(crate) fn waiting(project: &Project) -> (RunningProcess, String) {
    let mut command = project.other_command("script");
    command.args([
        "-qec",
        &format!("{} run gate.dot", program().display()),
        "/dev/null",
    ]);
    let started = project.start_other(command);
    let run = project.eventually("a question is open", || {
        let list = project.run(["runs", "--format", "json"]).json();
        let first = &list["runs"][0];
        (first["state"] == "waiting").then(|| first["run"].as_str().unwrap_or_default().to_owned())
    });
    (started, run)
}

#[test]
fn first_answer_wins_across_processes() {
    let project = Project::with("gate.dot", GATE);
    let (started, run) = waiting(&project);
    let ended = project.run(["answer", &run, "perhaps"]).expect_code(1);
    assert!(ended.stderr.contains("is not a choice"), "{ended}");
    project.run(["answer", &run, "ask", "yes"]).expect_code(0);
    started.end().expect_code(0);
    assert!(project.file("shipped").exists());
    let ended = project.run(["answer", &run, "no"]).expect_code(1);
    expect![[r#"
        error: run RUN has already ended: success
    "#]]
    .assert_eq(&ended.stderr.replace(&run, "RUN"));
    let shown = project
        .run(["runs", "show", &run, "--format", "json"])
        .expect_code(0)
        .json();
    assert_eq!(shown["state"], "success");
}

#[test]
fn another_process_can_cancel() {
    let project = Project::with("gate.dot", GATE);
    let (started, run) = waiting(&project);
    project.run(["cancel", &run[..12]]).expect_code(0);
    started.end().expect_code(130);
    let list: Value = project.run(["runs", "list", "--format", "json"]).json();
    assert_eq!(list["runs"][0]["state"], "cancelled");
}

#[test]
fn question_survives_kill() {
    let project = Project::with("gate.dot", GATE);
    let (_terminal, run) = waiting(&project);
    for process in project.processes() {
        Command::new("kill")
            .args(["-KILL", &process])
            .status()
            .expect("kill");
    }
    project.eventually("the process is gone", || {
        let list = project.run(["runs", "--format", "json"]).json();
        (list["runs"][0]["state"] == "interrupted").then_some(())
    });
    project
        .run(["resume", &run, "--answer", "ask=Y"])
        .expect_code(0);
    assert!(project.file("shipped").exists());
}
