//! `attractor watch`: a run of another process, on the terminal.

use attractor_tests::{Project, Terminal};
use serde_json::json;

use crate::http::Served;
use crate::human_gates::{GATE, waiting};

#[test]
fn a_run_is_watched_left_and_answered() {
    let project = Project::with("gate.dot", GATE);
    let (started, run) = waiting(&project);

    // `q` is a key of the question's line; Ctrl-D leaves, and the run continues.
    let mut terminal = Terminal::start(&project, &["watch"], 100);
    terminal.eventually("the question", |screen| screen.contains("Ship it?"));
    terminal.keys("\x04");
    let (code, screen) = terminal.end_showing("the run continues");
    assert_eq!(code, 0, "{screen}");

    let mut terminal = Terminal::start(&project, &["watch", &run], 100);
    terminal.eventually("the question", |screen| screen.contains("Ship it?"));
    terminal.keys("perhaps\r");
    terminal.eventually("a refusal", |screen| screen.contains("is not a choice"));
    terminal.keys("y\r");
    let (code, screen) = terminal.end_showing(&run);
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("success · "), "{screen}");
    started.end().expect_code(0);
    assert!(project.file("shipped").exists());

    // One that has ended is shown too, also without a terminal.
    let ended = project.run(["watch", &run]).expect_code(0);
    assert!(ended.stdout.contains("ship"), "{ended}");
    let events = project
        .run(["watch", &run, "--format", "events"])
        .expect_code(0)
        .json_lines();
    let last = events.last().expect("events");
    assert_eq!(last["type"], "pipeline_completed", "{last}");
    assert_eq!(
        project.run(["watch"]).expect_code(2).stderr,
        "error: no active run in .attractor/runs\n"
    );
}

#[test]
fn a_run_that_is_left_by_its_process_ends_the_watching() {
    let project = Project::with(
        "slow.dot",
        "digraph slow { start [shape=Mdiamond]; nap [shape=parallelogram, command=\"sleep 60\"]; done [shape=Msquare]; start -> nap -> done }",
    );
    let running = project.start(["run", "slow.dot"]);
    project.eventually("it runs", || {
        let list = project.run(["runs", "--format", "json"]).json();
        (list["runs"][0]["state"] == "running").then_some(())
    });
    let watching = project.start(["watch"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    running.signal("KILL");
    let ended = watching.end().expect_code(1);
    assert!(ended.stderr.contains("no process works on it"), "{ended}");
}

#[test]
fn a_run_of_a_server_is_watched_and_answered() {
    let project = Project::with("gate.dot", GATE);
    let served = Served::start(&project);
    project.write("submission.json", json!({ "dot": GATE }).to_string());
    served.script(
        &project,
        "curl -sS -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d @submission.json $URL/pipelines",
    );
    let elsewhere = Project::new();
    let arguments = ["watch", "--server", &served.url];
    let variables = vec![("ATTRACTOR_TOKEN", served.token.clone())];
    let mut terminal = Terminal::start_with(&elsewhere, &arguments, 100, variables);
    terminal.eventually("the question", |screen| screen.contains("Ship it?"));
    terminal.keys("n\r");
    let (code, screen) = terminal.end_showing("success · ");
    assert_eq!(code, 0, "{screen}");
}
