//! What a program may do with a run under way: look at it, and send messages to its nodes.

use std::time::{Duration, SystemTime};

use attractor_machine::outcome::Outcome;

use super::*;
use crate::clock::{SeededRng, TestClock};
use crate::driver::{ResumeFrom, resume};
use crate::handlers::{Execution, NodeHandler, NodeInput};
use crate::launch::Resume;

/// Ends with the first message it gets.
struct Listens;

impl NodeHandler for Listens {
    fn execute(&self, _: NodeInput<'_>) -> Execution {
        Execution::run(|env| async move {
            let message = env.message().await.text;
            Outcome::success().with("heard", message)
        })
    }
}

const LISTENS: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]
    a [command="echo one", output_key="first"]; l [handler=listens]
    s -> a -> l -> e
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_message_reaches_the_running_node_and_the_journal() {
    let bench = Harness::new();
    let mut launch = bench.launch(LISTENS);
    launch.handlers.register("listens", Listens).unwrap();
    let plan = Plan::new(launch.pipeline.clone(), Vec::new());
    let handle = start(launch).await.unwrap();
    // Accepted once the node runs and reads.
    let accepted = loop {
        let steered = handle.steer("l", "to the left", "ada").await;
        if steered.accepted {
            break steered;
        }
        let reason = steered.reason.unwrap();
        assert!(
            ["`l` is not running", "`l` does not read messages"].contains(&reason.as_str()),
            "{reason}"
        );
        tokio::task::yield_now().await;
    };
    assert_eq!(accepted.reason, None);
    let report = handle.wait().await;
    assert_eq!(value(&report, "heard"), "to the left");
    assert!(kinds(&handle).contains(&"steering_injected".to_owned()));
    check_journal(&plan, &handle);
    let late = handle.steer("l", "to the right", "ada").await;
    assert_eq!(late.reason.as_deref(), Some("the run is over"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_run_shows_its_context_and_where_it_is() {
    let bench = Harness::new();
    let mut launch = bench.launch(LISTENS);
    launch.handlers.register("listens", Listens).unwrap();
    launch.inputs.insert("api_token".to_owned(), "tok-1".into());
    let handle = start(launch).await.unwrap();
    let now = loop {
        let now = handle.checkpoint().await;
        if now.current_node == "l" {
            break now;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(now.context["first"], "one\n");
    assert_eq!(now.context["api_token"], "[redacted]");
    assert_eq!(now.completed_nodes, ["s", "a"]);
    while !handle.steer("l", "on", "ada").await.accepted {
        tokio::task::yield_now().await;
    }
    handle.wait().await;
    let end = handle.checkpoint().await;
    assert_eq!((end.current_node.as_str(), end.next_node), ("e", None));
    assert_eq!(end.context["heard"], "on");
}

/// Waits, a delay before another attempt, and a limit of time, without waiting.
#[tokio::test(flavor = "multi_thread")]
async fn with_a_test_clock_an_hour_passes_at_once() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; max_pipeline_duration="3h"
        w [type=wait, duration="1h"]
        t [command="test -f second || { touch second; exit 1; }", max_retries=1, retry_delay="30m"]
        s -> w -> t -> e
    }"#;
    let mut launch = bench.launch(dot);
    let clock = TestClock::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    launch.clock = Arc::new(clock);
    launch.rng = Arc::new(SeededRng::new(1));
    let (report, handle) = finish(launch.clone()).await;
    assert_eq!(path(&report), "s w t e");
    let first = handle.events(0).first().map(|event| event.time.clone());
    assert_eq!(first.as_deref(), Some("2023-11-14T22:13:20.000Z"));
    let minutes = Duration::from_millis(report.duration_ms).as_secs() / 60;
    assert!((75..=110).contains(&minutes), "{minutes} minutes");

    let short = dot.replace("3h", "30m");
    launch.pipeline = bench.launch(&short).pipeline;
    let report = run(launch).await;
    assert_eq!(report.status, RunState::Fail);
    let minutes = Duration::from_millis(report.duration_ms).as_secs() / 60;
    assert_eq!(minutes, 30, "{report:?}");
}

/// Opens its inbox, and ends without another look at it once it may.
struct Busy(Arc<tokio::sync::Notify>);

impl NodeHandler for Busy {
    fn execute(&self, _: NodeInput<'_>) -> Execution {
        let may_end = Arc::clone(&self.0);
        Execution::run(move |env| async move {
            assert!(env.messages().is_empty());
            may_end.notified().await;
            Outcome::success()
        })
    }
}

/// Sends a message to `b`, which ends without having read it.
async fn steer_too_late(bench: &Harness, dot: &str) -> RunHandle {
    let may_end = Arc::new(tokio::sync::Notify::new());
    let mut launch = bench.launch(dot);
    launch
        .handlers
        .register("busy", Busy(Arc::clone(&may_end)))
        .unwrap();
    let handle = start(launch).await.unwrap();
    while !handle
        .steer("b", "also update the manual", "ada")
        .await
        .accepted
    {
        tokio::task::yield_now().await;
    }
    may_end.notify_one();
    handle
}

/// What happened to messages, and where.
fn steering(handle: &RunHandle) -> String {
    let events = handle.events(0);
    let lines = events.iter().filter_map(|event| {
        let name = event.name();
        let at = event.kind.node_attempt();
        name.starts_with("steering")
            .then(|| format!("{name} {}", at.map_or("-", |at| &at.node)))
    });
    lines.collect::<Vec<_>>().join(", ")
}

#[tokio::test(flavor = "multi_thread")]
async fn message_that_a_node_did_not_read_is_in_the_next_prompt() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; b [handler=busy]; t [command=true]
        p [prompt="Do it."]; q [prompt="Check it."]
        s -> b -> t -> p -> q -> e
    }"#;
    let handle = steer_too_late(&bench, dot).await;
    let plan = Plan::new(bench.launch(dot).pipeline, Vec::new());
    assert_eq!(handle.wait().await.status, RunState::Success);
    assert_eq!(
        steering(&handle),
        "steering_injected b, steering_deferred b, steering_injected p"
    );
    let prompt = |node: &str| {
        let file = handle.directory().join(node).join("1-1/prompt.md");
        std::fs::read_to_string(file).unwrap()
    };
    assert!(prompt("p").contains("## Message\nalso update the manual"));
    assert!(!prompt("q").contains("manual"));
    check_journal(&plan, &handle);
}

/// A message for a branch waits for the prompt after the join; another branch does not get it.
#[tokio::test(flavor = "multi_thread")]
async fn unread_message_of_a_branch_waits_for_the_join() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component]; j [shape=tripleoctagon]
        b [handler=busy]; other [prompt="The other."]; late [command="while ! test -f go; do sleep 0.01; done"]
        p [prompt="Do it."]
        s -> f; f -> b -> j; f -> late -> other -> j; j -> p -> e
    }"#;
    let handle = steer_too_late(&bench, dot).await;
    while !steering(&handle).contains("steering_deferred") {
        tokio::task::yield_now().await;
    }
    std::fs::write(bench.path().join("go"), "").unwrap();
    assert_eq!(handle.wait().await.status, RunState::Success);
    assert_eq!(
        steering(&handle),
        "steering_injected b, steering_deferred b, steering_injected p"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_message_outlives_the_process() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; b [handler=busy]; w [type=wait, duration="1h"]; p [prompt="Do it."]
        s -> b -> w -> p -> e
    }"#;
    let handle = steer_too_late(&bench, dot).await;
    while !steering(&handle).contains("steering_deferred") {
        tokio::task::yield_now().await;
    }
    handle.interrupt("the test");
    handle.wait().await;
    let mut launch = bench.launch(dot);
    let later = SystemTime::now() + Duration::from_hours(2);
    launch.clock = Arc::new(TestClock::new(later));
    launch
        .handlers
        .register("busy", Busy(Arc::default()))
        .unwrap();
    let from = ResumeFrom::Run(handle.directory().to_owned());
    let resumed = resume(from, Resume::new(launch)).await.unwrap();
    assert_eq!(resumed.wait().await.status, RunState::Success);
    assert!(steering(&resumed).ends_with("steering_deferred b, steering_injected p"));
}
