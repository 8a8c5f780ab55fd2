//! Runs that are paused from another terminal: while branches work, and across processes that are killed.

use std::process::Command;

use attractor_tests::{Project, RunningProcess};
use serde_json::Value;

/// Two branches of two steps; the first step of the second branch ends when `go` is there.
const BRANCHES: &str = r#"digraph branches {
  start [shape=Mdiamond]
  done  [shape=Msquare]
  fork  [shape=component]
  join  [shape=tripleoctagon]
  a [command="echo a >> effects"]
  b [command="touch working; while [ ! -e go ]; do sleep 0.05; done; echo b >> effects"]
  c [command="echo c >> effects"]
  d [command="echo d >> effects"]
  start -> fork
  fork -> a -> c -> join
  fork -> b -> d -> join
  join -> done
}"#;

/// A run that is at `b`, and its id.
fn working(project: &Project) -> (RunningProcess, String) {
    let started = project.start(["run", "branches.dot"]);
    project.eventually("work", || project.file("working").exists().then_some(()));
    project.eventually("the end of `c`", || {
        let effects = std::fs::read_to_string(project.file("effects")).ok()?;
        effects.contains('c').then_some(())
    });
    let list: Value = project.run(["runs", "list", "--format", "json"]).json();
    let run = list["runs"][0]["run"].as_str().expect("an id").to_owned();
    (started, run)
}

fn state(project: &Project, run: &str) -> String {
    let shown = project.run(["runs", "show", run, "--format", "json"]);
    shown.json()["state"].as_str().expect("a state").to_owned()
}

fn effects(project: &Project) -> String {
    let mut effects: Vec<String> = project.read("effects").lines().map(str::to_owned).collect();
    effects.sort();
    effects.join(" ")
}

#[test]
fn a_paused_run_ends_its_step_and_continues_on_request() {
    let project = Project::with("branches.dot", BRANCHES);
    let (started, run) = working(&project);
    let paused = project.run(["pause", &run]).expect_code(0);
    assert!(paused.stdout.contains("paused"), "{paused}");
    assert_eq!(state(&project, &run), "paused");
    let again = project.run(["pause", &run]).expect_code(1);
    assert!(again.stderr.contains("already paused"), "{again}");
    project.write("go", "");
    project.eventually("the end of `b`", || {
        project.read("effects").contains('b').then_some(())
    });
    let journal = project.file(&format!(".attractor/runs/{run}/journal.jsonl"));
    project.eventually("the outcome of `b`", || {
        let journal = std::fs::read_to_string(&journal).ok()?;
        let is_outcome = |line: &str| line.contains(r#""type":"stage_completed","node":"b""#);
        journal.lines().any(is_outcome).then_some(())
    });
    assert_eq!(effects(&project), "a b c");
    project.run(["resume", &run]).expect_code(0);
    let ended = started.end().expect_code(0);
    assert!(
        ended.stdout.contains("paused") && ended.stdout.contains("continued"),
        "{ended}"
    );
    assert_eq!(effects(&project), "a b c d");
    project.run(["replay", &run, "--check"]).expect_code(0);
}

#[test]
fn a_paused_run_whose_process_was_killed_is_resumed() {
    let project = Project::with("branches.dot", BRANCHES);
    let (_terminal, run) = working(&project);
    project.run(["pause"]).expect_code(0);
    for process in project.processes() {
        Command::new("kill")
            .args(["-KILL", &process])
            .status()
            .expect("kill");
    }
    project.eventually("the death of the owner", || {
        (state(&project, &run) == "interrupted").then_some(())
    });
    // What the killed process has left of `b` is ended first.
    let resumed = project.start(["resume", &run]);
    let journal = project.file(&format!(".attractor/runs/{run}/journal.jsonl"));
    project.eventually("the second process", || {
        let journal = std::fs::read_to_string(&journal).ok()?;
        journal
            .contains(r#""type":"pipeline_resumed""#)
            .then_some(())
    });
    project.write("go", "");
    resumed.end().expect_code(0);
    assert_eq!(state(&project, &run), "success");
    assert_eq!(effects(&project), "a b c d");
    project.run(["replay", &run, "--check"]).expect_code(0);
}

#[test]
fn a_run_that_has_ended_cannot_be_paused() {
    let project = Project::with(
        "a.dot",
        "digraph { start=true; s [shape=Mdiamond]; e [shape=Msquare]; s -> e }",
    );
    project.run(["run", "a.dot", "-q"]);
    let ended = project.run(["pause"]).expect_code(2);
    assert!(ended.stderr.contains("no active run"), "{ended}");
}
