//! What a run must survive: kill −9 at any moment, a full disk, its own file changed or gone.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use attractor_tests::{ProcessOutput, Project, program};
use serde_json::Value;

/// A loop, a retry, branches, a gate and a sub-pipeline; every command leaves a line in `effects`.
const EVERYTHING: &str = r#"digraph everything {
  start [shape=Mdiamond]
  node [shape=parallelogram]
  begin [command="echo begin >> effects"]
  flaky [command="echo flaky >> effects; test {internal.retry_count.flaky:-0} -ge 2", max_retries=4, retry_delay="5ms"]
  fork  [shape=component]
  left  [command="echo left >> effects"]
  mid   [command="echo mid >> effects"]
  right [command="echo right >> effects"]
  join  [shape=tripleoctagon]
  turn  [command="echo turn >> effects; test -n {response.think:-}"]
  gate  [shape=hexagon, prompt="Continue?"]
  inner [shape=folder, sub_pipeline=inside]
  think [shape=box, prompt="Think about it"]
  done  [shape=Msquare]
  start -> begin -> flaky -> fork
  fork -> {left mid right} -> join
  join -> turn
  turn -> gate [condition="outcome=success"]
  turn -> think [condition="outcome=fail"]
  think -> fork
  gate -> inner [label="[Y] Yes"]
  gate -> begin [label="[N] No"]
  inner -> done
}
digraph inside {
  start [shape=Mdiamond]
  deep [shape=parallelogram, command="echo deep >> effects"]
  done [shape=Msquare]
  start -> deep -> done
}
"#;

const RUN: [&str; 6] = ["run", "all.dot", "--format", "json", "--answer", "gate=Y"];

/// The last context without what differs from run to run: its id, and in which order its branches ended.
pub(crate) fn steady(ended: &ProcessOutput) -> Value {
    let mut report = ended.json();
    let context = report["context"].as_object_mut().expect("a context");
    context.retain(|key, _| !key.starts_with("internal.run_id"));
    if let Some(nodes) = context
        .get_mut("_completed_nodes")
        .and_then(Value::as_array_mut)
    {
        nodes.sort_by_key(Value::to_string);
    }
    report["context"].take()
}

pub(crate) fn journal(project: &Project) -> Option<String> {
    let runs = fs::read_dir(project.file(".attractor/runs")).ok()?;
    let mut runs = runs.filter_map(|entry| Some(entry.ok()?.path()));
    // A run that is just starting has no name yet.
    let is_named = |path: &PathBuf| {
        let name = path.file_name().map(OsStr::to_string_lossy);
        name.is_some_and(|name| !name.starts_with('.'))
    };
    fs::read_to_string(runs.find(is_named)?.join("journal.jsonl")).ok()
}

/// The id of the only run, next to the runs of its sub-pipelines (`RUN/CHILD`).
pub(crate) fn only_run(project: &Project) -> String {
    let list = project.run(["runs", "--format", "json"]).json();
    let runs = list["runs"].as_array().expect("a list of runs");
    let ids = runs.iter().map(|run| run["run"].as_str().expect("an id"));
    let ids: Vec<&str> = ids.filter(|id| !id.contains('/')).collect();
    assert_eq!(ids.len(), 1, "{list}");
    ids[0].to_owned()
}

/// A visit that was completed is not begun again, in this journal.
pub(crate) fn nothing_is_repeated(events: &[Value]) {
    let mut completed = BTreeSet::new();
    for event in events {
        let place = ["graph", "branch", "node", "visit"]
            .map(|key| event[key].to_string())
            .join(" ");
        match event["type"].as_str() {
            Some("stage_completed") => assert!(
                completed.insert(place.clone()),
                "{place} is completed twice"
            ),
            Some("stage_started") => assert!(
                !completed.contains(&place),
                "{place} is begun again: {event}"
            ),
            _ => {}
        }
    }
    assert!(completed.len() > 10, "{completed:?}");
}

#[test]
fn run_resumes_after_kill_at_any_event() {
    let whole = Project::with("all.dot", EVERYTHING);
    let expected = steady(&whole.run(RUN).expect_code(0));
    let events = journal(&whole).expect("a journal").lines().count();
    assert!(events > 40, "{events} events");
    for moment in (1..events).step_by(5) {
        let project = Project::with("all.dot", EVERYTHING);
        let mut started = project.start(RUN);
        let is_there = || journal(&project).is_some_and(|text| text.lines().count() >= moment);
        while started.is_running() && !is_there() {
            std::thread::yield_now();
        }
        started.signal("KILL");
        drop(started);
        let run = only_run(&project);
        let state = project
            .run(["runs", "show", &run, "--format", "json"])
            .json()["state"]
            .clone();
        if state == "success" {
            continue;
        }
        let ended = project.run(["resume", &run, "--format", "json", "--answer", "gate=Y"]);
        assert_eq!(ended.code, Some(0), "killed after event {moment}: {ended}");
        assert_eq!(steady(&ended), expected, "killed after event {moment}");
        let journal = project
            .run(["runs", "events", &run])
            .expect_code(0)
            .json_lines();
        nothing_is_repeated(&journal);
    }
}

#[test]
fn full_disk_fails_and_keeps_the_journal() {
    let project = Project::with("all.dot", EVERYTHING);
    // No file may grow beyond 8 blocks of 512 bytes. The signal that comes with it is ignored, so that a
    // write fails as on a full disk.
    let line = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} run all.dot --answer gate=Y",
        program().display()
    );
    let output = project
        .other_command("sh")
        .args(["-c", &line])
        .output()
        .expect("sh");
    let ended = ProcessOutput::new(&output);
    assert_eq!(ended.code, Some(1), "{ended}");
    let printed = format!("{}{}", ended.stdout, ended.stderr);
    assert!(printed.contains("journal"), "{ended}");
    let run = only_run(&project);
    project
        .run(["resume", &run, "--answer", "gate=Y"])
        .expect_code(0);
    nothing_is_repeated(&project.run(["runs", "events", &run]).json_lines());
}

#[test]
fn changed_pipeline_requires_accept_changes() {
    let project = Project::with("all.dot", EVERYTHING);
    project.run(["run", "all.dot"]).expect_code(4);
    let run = only_run(&project);
    project.write(
        "all.dot",
        EVERYTHING
            .replace("Continue?", "Really?")
            .replace("echo deep", "echo deeper"),
    );
    let ended = project
        .run(["resume", &run, "--answer", "gate=Y"])
        .expect_code(1);
    assert!(ended.stderr.contains("--accept-changes"), "{ended}");
    project
        .run(["resume", &run, "--answer", "gate=Y", "--accept-changes"])
        .expect_code(0);
    assert!(project.read("effects").contains("deeper"));
}

#[test]
fn deleted_pipeline_resumes_from_its_copy() {
    let project = Project::with("all.dot", EVERYTHING);
    project.run(["run", "all.dot"]).expect_code(4);
    fs::remove_file(project.file("all.dot")).expect("the file goes");
    project
        .run(["resume", &only_run(&project), "--answer", "gate=Y"])
        .expect_code(0);
}

#[test]
fn run_fails_when_its_folder_is_deleted() {
    let project = Project::with(
        "flow.dot",
        r#"digraph flow {
  start [shape=Mdiamond]
  clean [shape=parallelogram, command="rm -rf .attractor"]
  build [shape=parallelogram, command="echo build >> effects"]
  done  [shape=Msquare]
  start -> clean -> build -> done
}
"#,
    );
    let ended = project.run(["run", "flow.dot"]).expect_code(1);
    for part in [
        "journal.jsonl: it was deleted while the run was writing it",
        "it cannot be resumed, run the pipeline again",
    ] {
        assert!(ended.to_string().contains(part), "{ended}");
    }
    // Every side effect is recorded.
    assert!(!project.file("effects").exists());
    let ended = project
        .run(["run", "flow.dot", "--format", "json"])
        .expect_code(1);
    assert_eq!(ended.json()["status"], "fail");
}

#[test]
fn finished_and_unknown_runs_are_not_resumed() {
    let project = Project::with("all.dot", EVERYTHING);
    project.run(RUN).expect_code(0);
    let ended = project.run(["resume", &only_run(&project)]).expect_code(1);
    assert!(ended.stderr.contains("has already finished"), "{ended}");
    let ended = project
        .run(["resume", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])
        .expect_code(2);
    assert!(ended.stderr.contains("unknown run"), "{ended}");
}

#[test]
fn checkpoint_file_requires_its_pipeline() {
    let project = Project::with("all.dot", EVERYTHING);
    project
        .run([
            "run",
            "all.dot",
            "--checkpoint-dir",
            "points",
            "--answer",
            "gate=Y",
        ])
        .expect_code(0);
    let mut points: Vec<_> = fs::read_dir(project.file("points"))
        .expect("checkpoints")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    points.sort();
    let point = points
        .get(points.len() / 2)
        .expect("a checkpoint")
        .display()
        .to_string();
    let ended = project.run(["resume", &point]).expect_code(2);
    assert!(ended.stderr.contains("--pipeline-dot"), "{ended}");
    project
        .run([
            "resume",
            &point,
            "--pipeline-dot",
            "all.dot",
            "--answer",
            "gate=Y",
        ])
        .expect_code(0);
}

#[test]
fn checkpoint_folder_resumes_from_the_newest() {
    let project = Project::with(
        "flow.dot",
        r#"digraph flow {
  start [shape=Mdiamond]
  build [shape=parallelogram, command="echo build >> effects"]
  check [shape=parallelogram, command="echo check >> effects; test -e ready"]
  done  [shape=Msquare]
  start -> build -> check -> done
}
"#,
    );
    project
        .run(["run", "flow.dot", "--checkpoint-dir", "points"])
        .expect_code(1);
    let ended = project.run(["resume", "points"]).expect_code(2);
    assert!(ended.stderr.contains("--pipeline-dot"), "{ended}");
    project.write("ready", "");
    project
        .run(["resume", "points", "--pipeline-dot", "flow.dot"])
        .expect_code(0);
    assert_eq!(project.read("effects"), "build\ncheck\ncheck\n");
}

/// How often a run is killed; `ATTRACTOR_KILLS` sets it for a long test.
fn kills() -> usize {
    let kills = std::env::var("ATTRACTOR_KILLS").ok();
    kills.and_then(|kills| kills.parse().ok()).unwrap_or(12)
}

/// Commands are started all the time, so that a kill often comes between fork and exec, when the child still
/// holds a copy of the lock.
#[test]
fn resume_right_after_kill_succeeds() {
    let project = Project::with(
        "flow.dot",
        r#"digraph flow {
  start [shape=Mdiamond]
  count [shape=parallelogram, command="echo x >> effects"]
  done  [shape=Msquare]
  start -> count
  count -> count [condition="internal.node_visit_count < 4000"]
  count -> done  [condition="internal.node_visit_count >= 4000"]
}
"#,
    );
    let mut running = project.start(["run", "flow.dot", "--max-steps", "100000"]);
    let effects = || match fs::read(project.file("effects")) {
        Ok(text) => text.len() / 2,
        Err(_) => 0,
    };
    let mut run = None;
    for kill in 0..kills() {
        let before = effects();
        while running.is_running() && effects() <= before + kill % 3 {
            std::thread::yield_now();
        }
        running.signal("KILL");
        drop(running);
        let run = run.get_or_insert_with(|| only_run(&project));
        running = project.start(["resume", run, "--max-steps", "100000"]);
        project.eventually("the resume continues", || {
            assert!(running.is_running(), "resume {kill} was refused");
            (effects() > before + kill % 3 + 1).then_some(())
        });
    }
}

#[test]
fn concurrent_resumes_are_locked() {
    let project = Project::with(
        "flow.dot",
        r#"digraph flow {
  start [shape=Mdiamond]
  hold  [shape=parallelogram, command="touch running; while ! test -e go; do sleep 0.01; done"]
  done  [shape=Msquare]
  start -> hold -> done
}
"#,
    );
    let first = project.start(["run", "flow.dot"]);
    project.eventually("it runs", || project.file("running").exists().then_some(()));
    first.signal("KILL");
    drop(first);
    let run = only_run(&project);
    let mut all: Vec<_> = (0..5).map(|_| project.start(["resume", &run])).collect();
    project.eventually("four are refused", || {
        let left = all
            .iter_mut()
            .filter_map(|one| one.is_running().then_some(()));
        (left.count() == 1).then_some(())
    });
    project.write("go", "");
    let pids: Vec<u32> = all
        .iter()
        .map(attractor_tests::RunningProcess::id)
        .collect();
    let ended: Vec<ProcessOutput> = all
        .into_iter()
        .map(attractor_tests::RunningProcess::end)
        .collect();
    let owner = ended.iter().position(|one| one.code == Some(0));
    let owner = owner.and_then(|at| pids.get(at)).expect("one continues");
    let named = format!("locked by process {owner} ");
    let refused = ended.iter().filter(|one| one.stderr.contains(&named));
    assert_eq!(refused.count(), 4, "{named}");
}
