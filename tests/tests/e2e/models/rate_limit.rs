//! A node that waits for a rate limit to end (`on_rate_limit=wait`) waits by a time of day in the journal.

use attractor_tests::{MockProvider, Project, Reply};
use serde_json::{Value, json};

use super::{TWO, run};

/// The events of the only run of a project.
fn journal(project: &Project) -> Vec<Value> {
    let Ok(runs) = std::fs::read_dir(project.file(".attractor/runs")) else {
        return Vec::new();
    };
    let journals = runs.flatten().map(|run| run.path().join("journal.jsonl"));
    let texts = journals.filter_map(|path| std::fs::read_to_string(path).ok());
    let lines: Vec<String> = texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    lines
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The engine is killed while the node waits. A resume waits for the rest of the time, not from the beginning and not at all.
#[test]
fn a_wait_for_a_rate_limit_survives_a_restart() {
    let dot = TWO.replace("MODEL\"", "sonnet\", on_rate_limit=wait, max_retries=1");
    let project = Project::with("rivers.dot", dot);
    let limit =
        json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}});
    let limited = Reply::Answer(
        429,
        vec![("retry-after-ms", "3000")],
        "application/json",
        limit.to_string(),
    );
    let provider = MockProvider::start(vec![limited, Reply::Says("The Rhine.")]);
    let mut command = project.command(["run", "rivers.dot", "--format", "events"]);
    command.envs(provider.variables());
    let running = project.start_other(command);
    let waiting = project.eventually("the node waits", || {
        let is_waiting = |event: &Value| event["type"] == "stage_retrying";
        journal(&project).into_iter().find(is_waiting)
    });
    running.signal("KILL");
    drop(running);
    assert_eq!(provider.sent().len(), 1);
    let id = waiting["run"].as_str().expect("a run").to_owned();
    let until = waiting["until"].as_str().expect("a time").to_owned();

    let output = run(&project, &provider, ["resume", &id, "--format", "events"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(provider.sent().len(), 3);
    let of = |kind: &'static str| {
        let events = journal(&project).into_iter();
        let of_node = move |event: &Value| event["type"] == kind && event["node"] == "ask";
        events.filter(of_node).collect::<Vec<_>>()
    };
    assert_eq!(of("stage_retrying").len(), 1, "it does not wait again");
    let started = of("stage_started");
    let again = started.last().expect("the next attempt");
    // Times of RFC 3339 in UTC are in the order of their texts.
    let at = again["time"].as_str().expect("a time");
    assert!(at >= until.as_str(), "{at} is before {until}");
}
