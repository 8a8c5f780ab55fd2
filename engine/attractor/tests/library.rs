//! The library as a program uses it.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use attractor::{
    Checkpoint, Engine, EngineBuilder, EventKind, Execution, GoalGate, HandlerEnv, ModelStylesheet,
    NodeHandler, NodeInput, OnMissingInterviewer, Outcome, Pipeline, PipelineEdit, Queue,
    RunObserver, RunState, Script, Severity, TestClock, Transform, has_errors, parse_dot_str,
    validate_pipeline,
};
use attractor_run::RunHandle;
use expect_test::expect;
use futures::StreamExt;
use tempfile::TempDir;

/// An engine whose runs are in a folder that is gone with the test.
fn engine(folder: &TempDir) -> EngineBuilder {
    Engine::builder()
        .working_dir(folder.path())
        .runs_dir(folder.path().join("runs"))
}

/// `start -> NODES -> done`.
fn chain(nodes: &[(&str, &[(&str, &str)])]) -> Pipeline {
    let mut builder = Pipeline::builder("chain").node("start", &[("shape", "Mdiamond")]);
    let mut last = "start";
    for (id, attributes) in nodes {
        builder = builder.node(id, attributes).edge(last, id);
        last = id;
    }
    let builder = builder.node("done", &[("shape", "Msquare")]);
    builder.edge(last, "done").build().unwrap()
}

/// A transform that is a function.
struct Change(
    &'static str,
    fn(&Pipeline, &mut PipelineEdit) -> Result<(), String>,
);

impl Transform for Change {
    fn name(&self) -> &str {
        self.0
    }

    fn apply(&self, pipeline: &Pipeline, edit: &mut PipelineEdit) -> Result<(), String> {
        (self.1)(pipeline, edit)
    }
}

#[tokio::test]
async fn transforms_are_applied_in_order_and_before_validation() {
    let folder = TempDir::new().unwrap();
    // Without the first transform, the handler is unknown.
    let pipeline = chain(&[("a", &[("handler", "runs"), ("run", "echo $word")])]);
    let engine = engine(&folder)
        .transform(Change("shell", |pipeline, edit| {
            for node in pipeline.nodes().filter(|node| node.handler() == "runs") {
                let run = node.attributes.get("run").unwrap().value();
                edit.node(&node.id, &[("handler", "tool"), ("command", run)]);
            }
            Ok(())
        }))
        .transform(Change("words", |pipeline, edit| {
            let command = pipeline.node("a").unwrap().attributes.get("command");
            let command = command.unwrap().value().replace("$word", "hello");
            edit.node("a", &[("command", &command)]);
            edit.node("b", &[("command", "echo \"two words\"")]);
            edit.edge("a", "b", &[("priority", "-1")])
                .edge("b", "done", &[]);
            Ok(())
        }))
        .build()
        .unwrap();
    let run = engine.run(&pipeline).start().await.unwrap();
    let report = run.wait().await;
    assert_eq!(report.path, ["start", "a", "b", "done"]);
    assert_eq!(report.context["node.a.stdout"], "hello\n");
    assert_eq!(report.context["node.b.stdout"], "two words\n");
}

#[tokio::test]
async fn a_transform_may_refuse_a_pipeline() {
    let folder = TempDir::new().unwrap();
    let refuse = Change("policy", |_, _| Err("no goal".to_owned()));
    let engine = engine(&folder).transform(refuse).build().unwrap();
    let error = engine.run(&chain(&[])).start().await.err().unwrap();
    expect!["the transform `policy` refuses pipeline `chain`: no goal"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn a_pipeline_with_errors_is_refused() {
    let folder = TempDir::new().unwrap();
    let pipeline = chain(&[("a", &[("handler", "tool")])]);
    let diagnostics = validate_pipeline(&pipeline);
    assert!(has_errors(&diagnostics));
    let worst = diagnostics
        .iter()
        .find(|one| one.severity == Severity::Error);
    assert_eq!(worst.unwrap().node.as_deref(), Some("a"));
    let engine = engine(&folder).build().unwrap();
    let error = engine.run(&pipeline).start().await.err().unwrap();
    assert!(error.to_string().contains("has errors"), "{error}");
    assert!(!folder.path().join("runs").exists());
}

#[tokio::test]
async fn goals_of_the_caller_are_added_to_those_of_the_pipeline() {
    let folder = TempDir::new().unwrap();
    let engine = engine(&folder)
        .goal_gate(GoalGate::default().node("a").condition("exit_code == 7"))
        .build()
        .unwrap();
    let pipeline = chain(&[("a", &[("command", "true")])]);
    let report = engine.run(&pipeline).start().await.unwrap().wait().await;
    assert_eq!(report.status, RunState::Success);
    let unmet = report.context["_goal_gate_unmet"].to_string();
    assert!(
        unmet.contains("exit_code == 7") && !unmet.contains("`a`"),
        "{unmet}"
    );
}

#[tokio::test]
async fn a_stylesheet_of_the_caller_sets_attributes() {
    let folder = TempDir::new().unwrap();
    let sheet =
        ModelStylesheet::parse(r#"{"rules": [{"name_pattern": "a*", "timeout": "100ms"}]}"#);
    let engine = engine(&folder).stylesheet(sheet.unwrap()).build().unwrap();
    let pipeline = chain(&[("a", &[("command", "sleep 60")])]);
    let report = engine.run(&pipeline).start().await.unwrap().wait().await;
    let reason = report.failure.clone().unwrap().reason;
    assert!(reason.contains("100ms"), "{reason}");
    let error = ModelStylesheet::parse("a {").unwrap_err().to_string();
    assert!(
        error.starts_with("the stylesheet has an error at byte"),
        "{error}"
    );
}

#[tokio::test]
async fn questions_without_an_interviewer() {
    let folder = TempDir::new().unwrap();
    let gate = chain(&[("g", &[("shape", "hexagon")])]);
    let builder = engine(&folder);
    for (missing, status) in [
        (OnMissingInterviewer::Fail, RunState::Fail),
        (OnMissingInterviewer::ApproveWithWarning, RunState::Success),
    ] {
        let engine = builder
            .clone()
            .on_missing_interviewer(missing)
            .build()
            .unwrap();
        let report = engine.run(&gate).start().await.unwrap().wait().await;
        assert_eq!(report.status, status, "{missing:?}");
    }
    let waits = builder.on_missing_interviewer(OnMissingInterviewer::Wait);
    let run = waits.build().unwrap().run(&gate).start().await.unwrap();
    let mut events = run.events(0);
    while let Some(event) = events.next().await {
        if let EventKind::InterviewStarted { question, .. } = &event.kind {
            assert_eq!(run.questions().len(), 1);
            assert!(run.answer(&question.id, "yes").await.accepted);
        }
    }
    assert_eq!(run.wait().await.status, RunState::Success);
    // From a number on.
    let all: Vec<_> = run.events(0).collect().await;
    let last: Vec<_> = run.events(all.len() as u64 - 1).collect().await;
    assert_eq!(last.len(), 1);
}

/// Fails until `ok` exists in the folder it is given.
const FLAKY: &[(&str, &str)] = &[("command", "test -f ok")];

#[tokio::test]
async fn a_failed_run_is_resumed_by_its_directory_or_by_a_checkpoint_file() {
    let folder = TempDir::new().unwrap();
    let points = folder.path().join("points");
    let dot = folder.path().join("p.dot");
    fs::write(
        &dot,
        chain(&[("a", &[("command", "echo once >> log")]), ("b", FLAKY)]).to_dot(),
    )
    .unwrap();
    let engine = engine(&folder).checkpoint_dir(&points).build().unwrap();
    let first = engine.run_file(&dot).start().await.unwrap();
    assert_eq!(first.wait().await.status, RunState::Fail);
    assert_eq!(first.checkpoint().await.next_node.as_deref(), Some("b"));
    let newest = Checkpoint::latest(&points).unwrap().unwrap();
    assert_eq!(
        (newest.current_node.as_str(), newest.next_node.as_deref()),
        ("b", Some("b"))
    );

    fs::write(folder.path().join("ok"), "").unwrap();
    let by_file = engine
        .run_file(&dot)
        .from_checkpoint(&points)
        .start()
        .await
        .unwrap();
    assert_eq!(by_file.wait().await.status, RunState::Success);
    let again = engine.resume(first.directory()).start().await.unwrap();
    assert_eq!(again.id(), first.id());
    assert_eq!(again.wait().await.path, ["start", "a", "b", "b", "done"]);
    assert_eq!(read(folder.path(), "log"), "once\n");
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[tokio::test]
async fn a_dry_run_has_no_effects() {
    let folder = TempDir::new().unwrap();
    let engine = engine(&folder).build().unwrap();
    let pipeline = chain(&[("a", &[("command", "touch made")])]);
    let run = engine.run(&pipeline).dry_run(Script::default());
    let report = run.start().await.unwrap().wait().await;
    assert_eq!(report.path, ["start", "a", "done"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Repeats the first message it gets.
struct Echo;

impl NodeHandler for Echo {
    fn execute(&self, _: NodeInput<'_>) -> Execution {
        Execution::run(|env: HandlerEnv| async move {
            let message = env.message().await.text;
            Outcome::success().with("message", message)
        })
    }
}

#[tokio::test]
async fn a_run_is_looked_at_and_steered() {
    let folder = TempDir::new().unwrap();
    let engine = engine(&folder).handler("echo", Echo).build().unwrap();
    let pipeline = chain(&[
        ("a", &[("command", "echo hi")]),
        ("e", &[("handler", "echo")]),
    ]);
    let run = engine.run(&pipeline).start().await.unwrap();
    while !run.steer("e", "over here", "test").await.accepted {
        tokio::task::yield_now().await;
    }
    run.wait().await;
    let context = run.context().await;
    assert_eq!(context.get("message"), Some(&"over here".into()));
    assert_eq!(context.get("node.a.stdout"), Some(&"hi\n".into()));
}

#[tokio::test]
async fn with_a_test_clock_a_pipeline_that_waits_runs_at_once() {
    let folder = TempDir::new().unwrap();
    let clock = TestClock::new(SystemTime::UNIX_EPOCH);
    let engine = engine(&folder).clock(clock).build().unwrap();
    let pipeline = chain(&[("w", &[("shape", "insulator"), ("duration", "1h")])]);
    let report = engine.run(&pipeline).start().await.unwrap().wait().await;
    assert_eq!(
        (report.status, report.duration_ms),
        (RunState::Success, 3_600_000)
    );
}

#[test]
fn names_and_errors_of_pipelines() {
    let pipeline = parse_dot_str("digraph { a -> b [priority=2]; a -> c }").unwrap();
    assert_eq!(pipeline.name(), "pipeline");
    let targets: Vec<_> = pipeline
        .outgoing_edges("a")
        .iter()
        .map(|edge| pipeline.id(edge.to))
        .collect();
    assert_eq!(targets, ["c", "b"]);
    assert_eq!(pipeline.incoming_edges("b").len(), 1);
    let error = |text: &str| parse_dot_str(text).unwrap_err().to_string();
    expect!["pipeline.dot has no pipeline; expected `digraph NAME { … }` with nodes"]
        .assert_eq(&error(""));
    assert!(error("digraph {\n a -> }").starts_with("pipeline.dot:2: "));
    let error = Engine::builder()
        .handler("wait", Echo)
        .build()
        .err()
        .unwrap();
    expect!["the handler `wait` cannot be replaced: the executor does its work; use another name"]
        .assert_eq(&error.to_string());
}

#[tokio::test]
async fn inputs_and_prepared_answers() {
    let folder = TempDir::new().unwrap();
    let queue = Queue::new(["yes", "no"]);
    let engine = engine(&folder).interviewer(queue.clone()).build().unwrap();
    let pipeline = chain(&[
        ("g", &[("shape", "hexagon"), ("label", "{what}?")]),
        ("h", &[("shape", "hexagon")]),
    ]);
    let run = engine
        .run(&pipeline)
        .input("what", "Ship")
        .start()
        .await
        .unwrap();
    let report = run.wait().await;
    assert_eq!(report.path, ["start", "g", "h"]);
    assert!(queue.is_empty());
}

/// Keeps the ids of the runs it is informed of.
#[derive(Default)]
struct Ids(Mutex<Vec<String>>);

impl RunObserver for Ids {
    fn started(&self, run: &RunHandle) {
        self.0.lock().unwrap().push(run.id().to_string());
    }
}

#[tokio::test]
async fn an_observer_is_informed_of_runs_that_start_and_of_forks() {
    let folder = TempDir::new().unwrap();
    let ids = Arc::new(Ids::default());
    let engine = engine(&folder)
        .observer(Arc::clone(&ids) as Arc<dyn RunObserver>)
        .build()
        .unwrap();
    let pipeline = chain(&[("a", &[("handler", "tool"), ("command", "true")])]);
    let run = engine.run(&pipeline).start().await.unwrap();
    run.wait().await;
    let fork = engine.fork(run.directory(), "a").start().await.unwrap();
    fork.wait().await;
    let seen = ids.0.lock().unwrap().clone();
    assert_eq!(seen, [run.id().to_string(), fork.id().to_string()]);
}
